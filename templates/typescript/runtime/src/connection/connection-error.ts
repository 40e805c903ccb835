// Why a call failed that the peer did not answer with an error.

/** What went wrong with a call. */
export type ConnectionErrorKind =
  /** The connection is closed, or was closed before the answer came. */
  | "closed"
  /** What carried the connection broke before the answer came. */
  | "lost"
  /** A server refused what was sent. */
  | "refused"
  /** The peer did not say that it can do this. Nothing was sent. */
  | "not-supported"
  /** This end says that it can do what it does not handle. Nothing was sent. */
  | "not-handled"
  /** The method cannot be part of a batch, or there are none. Nothing was sent. */
  | "not-in-batch"
  /** The params cannot be written as JSON. Nothing was sent. */
  | "params"
  /** The message is longer than `maxLine`. Nothing was sent. */
  | "too-long"
  /** The peer speaks no version that this end does. The connection is closed. */
  | "version"
  /**
   * The answer is no JSON-RPC response, or over a limit, or its result is not
   * the method's.
   */
  | "malformed";

/** What was thrown, in words. Not all programs throw errors. */
export function wordsOf(thrown: unknown): string {
  try {
    const { message } = Object(thrown) as { message?: unknown };
    return typeof message === "string" ? message : String(thrown);
  } catch {
    // It cannot be asked, or has no words.
    return typeof thrown;
  }
}

/** A call failed, and not because the peer answered with an error. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  readonly kind: ConnectionErrorKind;

  constructor(
    kind: ConnectionErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.kind = kind;
  }
}
