// What can be chosen about a connection, and what the protocol says of it.

import type { Running } from "./running.js";
import type { Terms } from "./terms.js";

/** Choices about a connection. */
export interface ConnectionOptions {
  /**
   * The longest line that is read, in bytes. Longer ones are skipped, and
   * answered with an error.
   *
   * @default 64 MiB
   */
  readonly maxLine?: number;
  /**
   * How many requests are handled at a time. Others wait for their turn.
   *
   * @default 1024
   */
  readonly maxRequests?: number;
  /**
   * How much may wait to be written before senders have to wait, in
   * characters.
   *
   * @default 256 Ki
   */
  readonly maxBuffered?: number;
  /**
   * Sees everything that passes the connection, in order. It must not throw.
   * Without it, errors that handlers throw are printed on `console.error`.
   */
  readonly observe?: (observed: Observed) => void;
}

/** Something that passed a connection. */
export type Observed =
  /** A line that came in. */
  | { readonly type: "received"; readonly line: string }
  /** A line that goes out. */
  | { readonly type: "sent"; readonly line: string }
  /** A notification that nothing handles, or whose params are not its. */
  | { readonly type: "ignored"; readonly method: string }
  /** A response that no call waits for. */
  | { readonly type: "unexpected"; readonly id: unknown }
  /** A handler that threw what is not an error for the peer. */
  | {
      readonly type: "failed";
      readonly method: string;
      readonly error: unknown;
    };

/** Choices about one call. */
export interface CallOptions {
  /** Abandons the call: the peer is told, and the call fails. */
  readonly signal?: AbortSignal;
}

/** What the protocol says about a side's connection. */
export interface Rules {
  /**
   * The notification that cancels a request, and the property of its params
   * that holds the request's id.
   */
  readonly cancel?: { readonly method: string; readonly property: string };
  /** What messages cancel beside. */
  readonly cancels?: CancelBy;
  /** What the ends of one connection agree on, if they do. */
  readonly terms?: Terms;
}

/** Cancels those requests that have no answer yet and that a message is about. */
export type CancelBy = (
  method: string,
  params: unknown,
  requests: () => Iterable<Running>,
) => void;

/** All choices made. */
export interface Settings {
  readonly maxLine: number;
  readonly maxRequests: number;
  readonly maxBuffered: number;
  readonly observe: ((observed: Observed) => void) | undefined;
}

/** Fills in the defaults. */
export function settings(options: ConnectionOptions): Settings {
  return {
    maxLine: options.maxLine ?? 64 * 1024 * 1024,
    maxRequests: Math.max(options.maxRequests ?? 1024, 1),
    maxBuffered: options.maxBuffered ?? 256 * 1024,
    observe: options.observe,
  };
}
