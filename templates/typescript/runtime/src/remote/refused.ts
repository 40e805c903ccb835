// Why a call failed that never reached the other end.

import { ConnectionError } from "../connection.js";
import { readStart } from "./body.js";

/** A server refused a request of HTTP. */
export class RefusedError extends ConnectionError {
  /** The status of its answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    const said = message === "" ? "" : `: ${message}`;
    super(
      "refused",
      `the server answered with status ${String(status)}${said}`,
    );
    this.status = status;
  }
}

/** How much of what a server says is read at most, in bytes. */
const MAX = 64 * 1024;

/** How long that is waited for, in milliseconds. */
const PATIENCE = 1000;

/** How much is shown of what is no error of JSON-RPC, in characters. */
const SHOWN = 200;

/** What is read of an answer. */
interface Answer {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The error that an answer is, of which no more bytes are read than this. */
export async function refused(
  { status, body }: Answer,
  limit: number,
): Promise<RefusedError> {
  const length = Math.min(limit, MAX);
  const text = new TextDecoder().decode(
    await readStart(body, length, PATIENCE),
  );
  let message = text.slice(0, SHOWN);
  try {
    const said: unknown = JSON.parse(text);
    const { error } = said as { error?: { message?: unknown } };
    if (typeof error?.message === "string") ({ message } = error);
  } catch {
    // It is no error of JSON-RPC.
  }
  return new RefusedError(status, message);
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
