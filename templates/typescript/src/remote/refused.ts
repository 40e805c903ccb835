// Why a call failed that never reached the other end.

import { ConnectionError } from "../connection.js";

/** A server refused a request of HTTP. */
export class RefusedError extends ConnectionError {
  /** The status of its answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super("refused", `the server answered ${String(status)}: ${message}`);
    this.status = status;
  }
}

/** What carried the connection is gone. */
export function lost(message: string, cause?: unknown): ConnectionError {
  return new ConnectionError("lost", `connection lost: ${message}`, { cause });
}

/** Whether an error says that what carried the connection is gone. */
export function isLost(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError && error.kind === "lost";
}

/** What an error says. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // `fetch` tells only its cause what happened.
  return cause instanceof Error && cause.message !== ""
    ? `${error.message}: ${cause.message}`
    : error.message;
}

/** Whether a failure is about one message, and the connection goes on. */
export function isCallOnly(failure: ConnectionError): boolean {
  return failure instanceof RefusedError || failure.cause === undefined;
}

/** A failure as the loss of the connection, if it is none. */
export function asLost(failure: Error): ConnectionError {
  return isLost(failure) ? failure : lost(failure.message, failure);
}
