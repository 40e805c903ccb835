// What a handler knows beside its params.

import type { Link } from "./link.js";
import type { Route } from "./peer.js";
import type { Running } from "./running.js";

/** The message that is being handled, and the connection it came by. */
export class Context {
  readonly #link: Link;
  readonly #running: Running | undefined;
  readonly #notification: number | undefined;

  /** @internal */
  constructor(
    link: Link,
    running: Running | undefined,
    notification: number | undefined,
  ) {
    this.#link = link;
    this.#running = running;
    this.#notification = notification;
  }

  /**
   * Fires when the answer is no longer wanted: the peer cancelled the request,
   * or is gone.
   */
  get signal(): AbortSignal {
    return this.#running?.signal ?? this.#link.signal;
  }

  /**
   * The id of the request as JSON, as the peer spelled it. A notification has
   * none.
   */
  get requestId(): string | undefined {
    return this.#running?.id;
  }

  /** @internal */
  static route(context: Context): Route {
    return { link: context.#link, origin: context.#notification };
  }
}

/** Makes the context of a side's handlers. */
export type MakeContext = new (
  link: Link,
  running: Running | undefined,
  notification: number | undefined,
) => Context;
