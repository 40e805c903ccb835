// Requests that are to be answered.

import { stringifyJson } from "../parsing.js";
import type { Collector } from "./batch.js";
import type { Message } from "./message.js";
import { RequestError } from "./request-error.js";

/** A request as it came in. */
type Request = Extract<Message, { kind: "request" }>;

/** A request that has no answer yet. */
export class Running implements Request {
  readonly kind = "request" as const;
  /** Its id as JSON. */
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  readonly size: number;
  /** What a cancellation finds it by. */
  readonly marks: readonly string[];
  /** The batch that it came in. */
  readonly batch: Collector | undefined;
  #controller: AbortController | undefined;
  #isCancelled = false;
  #result: string | undefined;

  constructor(
    { id, method, params, size }: Request,
    batch: Collector | undefined,
    marks: readonly string[],
  ) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.size = size;
    this.marks = [idMark(id), ...marks];
    this.batch = batch;
  }

  /** Whether the answer is no longer wanted. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Fires when the answer is no longer wanted. */
  get signal(): AbortSignal {
    // Made only for who asks: most handlers do not.
    this.#controller ??= new AbortController();
    if (this.#isCancelled) this.#controller.abort(reason());
    return this.#controller.signal;
  }

  /** The member of the response if the handler ends by its cancellation. */
  get cancelled(): string {
    const result = this.#result;
    return result === undefined ? failure(reason()) : `"result":${result}`;
  }

  /**
   * Tells the handler that the answer is no longer wanted. If it ends by that,
   * it is answered with this result as JSON, or else with an error.
   */
  cancel(result?: string): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#result = result;
    this.#controller?.abort(reason());
  }
}

function reason(): RequestError {
  return RequestError.requestCancelled();
}

/** What a request is found by, from its id as JSON. */
export function idMark(id: string): string {
  return `id ${id}`;
}

/** The response to a request. */
export function answer(id: string, member: string): string {
  return `{"jsonrpc":"2.0","id":${id},${member}}`;
}

/** The member of a response that stands in for one that cannot be sent. */
export const INTERNAL_ERROR =
  '"error":{"code":-32603,"message":"Internal error"}';

/** The member of a response that says what went wrong. */
export function failure(error: RequestError): string {
  try {
    const text = stringifyJson(error);
    if (text !== undefined) return `"error":${text}`;
  } catch {
    // What came with it is no JSON.
  }
  return INTERNAL_ERROR;
}

/** What a handler answers that threw, if that is for the peer to know. */
export function known(error: unknown): RequestError | undefined {
  return error instanceof RequestError && isCode(error.code)
    ? error
    : undefined;
}

/** Whether a code is one of JSON-RPC, whatever type it should have. */
function isCode(code: number): boolean {
  return Number.isInteger(code) && code >= -(2 ** 31) && code < 2 ** 31;
}
