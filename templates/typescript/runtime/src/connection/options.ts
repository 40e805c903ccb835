// What can be chosen about a connection.

/** Choices about a connection. */
export interface ConnectionOptions {
  /**
   * The longest line that is read or sent, in bytes. Longer ones that come in
   * are skipped, and answered with an error; a call that would be longer fails.
   *
   * @default 64 MiB
   */
  readonly maxLine?: number;
  /**
   * How deeply arrays and objects may be nested in a message. A deeper one that
   * comes in is answered as what is no JSON.
   *
   * @default 128
   */
  readonly maxDepth?: number;
  /**
   * What becomes of an integer that a number does not hold exactly, where any
   * JSON may stand: it is kept as a `bigint` (`true`), or refused (`false`).
   * Otherwise it is rounded, as `JSON.parse` does, and `observe` is told.
   */
  readonly bigIntegers?: boolean;
  /**
   * How many requests are handled at a time. Others wait for their turn.
   *
   * @default 1024
   */
  readonly maxRequests?: number;
  /**
   * How much may wait to be written before senders have to wait, in bytes.
   *
   * @default 256 Ki
   */
  readonly maxBuffered?: number;
  /**
   * Whether there are batches. Without them one that comes in is answered with
   * one error, and none is sent: some peers know no batches.
   *
   * @default true
   */
  readonly batches?: boolean;
  /**
   * Notifications of these methods do not hold back what comes after them:
   * their handlers are begun in order, and not waited for.
   *
   * A method is named as it is on the wire, not as its handler is. Where a name
   * is that of no notification which this side handles, no connection is made:
   * its constructor throws. Names that the schema does not know need a handler
   * for what the schema does not know.
   */
  readonly concurrent?: readonly string[];
  /**
   * Whether the peer is told the message of what a handler throws unexpectedly,
   * as `data.details`. Otherwise it is told nothing of it.
   */
  readonly errorDetails?: boolean;
  /**
   * Sees everything that passes the connection, in order. If it throws, that
   * changes nothing.
   */
  readonly observe?: (observed: Observed) => void;
  /**
   * Takes each line that comes in and is no message: what the program at the
   * other end prints beside its messages, such as the address where to log in.
   *
   * Such a line is not answered then. That of a process which `spawn` has
   * started never is: without this, only `observe` sees it.
   */
  readonly strayLines?: (line: string) => void;
  /**
   * Whether a connection over standard input and output tells of each handler
   * that fails on standard error, unless the error is one for the peer.
   *
   * @default true
   */
  readonly reportFailures?: boolean;
  /**
   * The path of a file that every message is added to that passes the
   * connection, as a line that `acp-bindgen validate` reads; or `stderr`; or a
   * function that gets each line. `true` has trouble told to `console.debug`.
   * If nothing is said, the environment variable named after the package
   * (`PACKAGE_LOG`) may name a file for messages, or `stderr`.
   */
  readonly log?: string | Log | boolean;
}

/** Takes records of messages, each a line of JSON. */
export type Log = (record: string) => void;

/** Something that passed a connection. */
export type Observed =
  /** A line that came in. */
  | { readonly type: "received"; readonly line: string }
  /** A line that goes out. */
  | { readonly type: "sent"; readonly line: string }
  /** A notification that nothing handles. */
  | { readonly type: "ignored"; readonly method: string }
  /** A message that was thrown away: where in it something is wrong, and what. */
  | {
      readonly type: "dropped";
      readonly method?: string;
      readonly path: string;
      readonly reason: string;
    }
  /** A wrong value that was taken for nothing, as the schema says, or rounded. */
  | {
      readonly type: "forgiven";
      readonly method: string;
      readonly path: string;
      readonly reason: string;
    }
  /** A response that no call waits for. */
  | { readonly type: "unexpected"; readonly id: unknown }
  /**
   * A handler that threw what is not an error for the peer, or the error of a
   * call of its own.
   */
  | {
      readonly type: "failed";
      readonly method: string;
      readonly error: unknown;
    };

/** Choices about one call. */
export interface CallOptions {
  /** Abandons the call: the peer is told, and the call fails. */
  readonly signal?: AbortSignal;
  /**
   * Whether a call that is abandoned waits for the peer's answer all the same,
   * and gives what that is.
   */
  readonly wait?: boolean;
}

/** All choices made. */
export interface Settings {
  readonly maxLine: number;
  readonly maxDepth: number;
  readonly bigIntegers: boolean | undefined;
  readonly maxRequests: number;
  readonly maxBuffered: number;
  readonly batches: boolean;
  readonly concurrent: ReadonlySet<string>;
  readonly errorDetails: boolean;
}

/** Fills in the defaults. */
export function settings(options: ConnectionOptions): Settings {
  return {
    maxLine: options.maxLine ?? 64 * 1024 * 1024,
    maxDepth: options.maxDepth ?? 128,
    bigIntegers: options.bigIntegers,
    maxRequests: Math.max(options.maxRequests ?? 1024, 1),
    maxBuffered: options.maxBuffered ?? 256 * 1024,
    batches: options.batches ?? true,
    concurrent: new Set(options.concurrent),
    errorDetails: options.errorDetails ?? false,
  };
}
