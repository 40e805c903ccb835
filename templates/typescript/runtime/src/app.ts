// Apps: what handles the messages of a side, method by method.

import type { ConnectionOptions, MessageStream, Stream } from "./connection.js";
import { RequestError } from "./connection/request-error.js";

/** What is handled of each method. */
export type Handlers<Methods> = {
  readonly [M in keyof Methods]: { readonly handler: unknown };
};

/**
 * What handles messages whose method the schema does not name, without that: a
 * member of a handler, if it has it.
 */
export type Extension<Handler, Name extends string> = Handler extends {
  readonly [N in Name]?: (
    method: string,
    ...given: infer Given
  ) => infer Result;
}
  ? (...given: Given) => Result
  : never;

/** The names of handlers by methods. */
export interface Names {
  readonly requests: Readonly<Record<string, string>>;
  readonly notifications: Readonly<Record<string, string>>;
  /** Those of messages whose method the schema does not name. */
  readonly extensions?: {
    readonly requests?: string;
    readonly notifications?: string;
  };
}

/** Makes a connection of a side. */
export type Connect<Handler, Connection> = new (
  toHandler: () => Handler,
  stream: Stream | MessageStream,
  options?: ConnectionOptions,
) => Connection;

type Kind = "requests" | "notifications";

type Handle = (...given: unknown[]) => unknown;

/** What handles the messages of a side, method by method. */
export class App<
  Handler,
  Connection,
  Requests extends Handlers<Requests>,
  Notifications extends Handlers<Notifications>,
> {
  readonly #names: Names;
  readonly #Connect: Connect<Handler, Connection>;
  readonly #handlers: Record<string, unknown>;
  /** What was given a handler. */
  readonly #given = new Set<string>();

  /** @internal */
  constructor(
    names: Names,
    connect: Connect<Handler, Connection>,
    handlers?: Partial<Handler>,
  ) {
    this.#names = names;
    this.#Connect = connect;
    this.#handlers = { ...handlers };
  }

  /** Handles the requests of a method. A method has one handler. */
  onRequest<M extends keyof Requests & string>(
    method: M,
    handle: Requests[M]["handler"],
  ): this;
  /** Handles the requests of a method that the schema does not name. */
  onRequest(
    method: `_${string}`,
    handle: Extension<Handler, "extMethod">,
  ): this;
  onRequest(method: string, ...given: unknown[]): this {
    return this.#on("requests", method, given);
  }

  /** Handles the notifications of a method. A method has one handler. */
  onNotification<M extends keyof Notifications & string>(
    method: M,
    handle: Notifications[M]["handler"],
  ): this;
  /** Handles the notifications of a method that the schema does not name. */
  onNotification(
    method: `_${string}`,
    handle: Extension<Handler, "extNotification">,
  ): this;
  onNotification(method: string, ...given: unknown[]): this {
    return this.#on("notifications", method, given);
  }

  /** Connects over a pair of streams. */
  connect(
    stream: Stream | MessageStream,
    options?: ConnectionOptions,
  ): Connection {
    return new this.#Connect(() => this.handler, stream, options);
  }

  /** All handlers as one, for a connection or a server made otherwise. */
  get handler(): Handler {
    return this.#handlers as Handler;
  }

  #on(kind: Kind, method: string, [handle, ...more]: readonly unknown[]): this {
    const given = `${kind} ${method}`;
    if (this.#given.has(given))
      throw new TypeError(`"${method}" has a handler already`);
    if (typeof handle !== "function")
      throw new TypeError(`the handler of "${method}" is no function`);
    if (more.some((it) => it !== undefined))
      throw new TypeError(
        `"${method}" takes a handler and nothing more: what parses params is called by it`,
      );
    const names = this.#names[kind];
    const name = Object.hasOwn(names, method) ? names[method] : undefined;
    const extension = this.#names.extensions?.[kind];
    if (name !== undefined) this.#handlers[name] = handle;
    else if (extension !== undefined && method.startsWith("_"))
      this.#extend(kind, extension, method, handle as Handle);
    else throw new TypeError(this.#unknown(kind, method));
    this.#given.add(given);
    return this;
  }

  /** Says what is wrong with a name that is none of a kind. */
  #unknown(kind: Kind, method: string): string {
    const isRequest = kind === "requests";
    const others = this.#names[isRequest ? "notifications" : "requests"];
    const [word, other] = isRequest
      ? ["request", "a notification: use onNotification"]
      : ["notification", "a request: use onRequest"];
    if (Object.hasOwn(others, method)) return `"${method}" is ${other}`;
    const known = Object.keys(this.#names[kind]).join(", ");
    return `"${method}" is no ${word} that this side handles: it handles ${known || "none"}`;
  }

  /** Handles one more method that the schema does not name. */
  #extend(kind: Kind, name: string, method: string, handle: Handle): void {
    const others = this.#handlers[name] as Handle | undefined;
    this.#handlers[name] = (called: string, ...given: unknown[]) => {
      if (called === method) return handle(...given);
      if (others !== undefined) return others(called, ...given);
      if (kind === "requests") throw RequestError.methodNotFound(called);
      return undefined;
    };
  }
}
