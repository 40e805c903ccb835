// Who may speak with a server.

import { isObject, own } from "../connection.js";

/** A request of HTTP, as far as it is looked at. A `Request` is one. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: ReadableStream<Uint8Array> | null;
  /** Fires when the other end is gone. */
  readonly signal?: AbortSignal;
}

/** What only the platform knows of a request. */
export interface RequestInfo {
  /** The address of the other end. */
  readonly address?: string | undefined;
  /** The version of HTTP, if it is known. */
  readonly version?: "1.1" | "2" | "3";
}

/** What decides who may speak with a server. */
export interface Asking extends RequestInfo {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly origin: string | undefined;
}

/** Says that a request is refused. */
export class Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string | undefined;

  /** By default, the challenge of a status of 401 is `Bearer`. */
  constructor(
    status: 401 | 403,
    message: string,
    challenge: string | undefined = status === 401 ? "Bearer" : undefined,
  ) {
    this.status = status;
    this.message = message;
    this.challenge = challenge;
  }
}

/**
 * Decides about every request and every upgrade: refuses it, or says who it is
 * that asks. If it throws, the request fails.
 */
export type Authenticate = (asking: Asking) => unknown;

/** Whether requests with these identities come from the same. */
export function isSameIdentity(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    const { length } = a;
    return (
      length === b.length && a.every((it, at) => isSameIdentity(it, b[at]))
    );
  }
  // Of what is not plain, not all can be seen.
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) && isSameIdentity(own(a, key), own(b, key)),
    )
  );
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
