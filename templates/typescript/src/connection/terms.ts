// What the two ends of a connection agree on.

import type { ConnectionError } from "./connection-error.js";
import type { Method } from "./method.js";

/** A version of the protocol. */
export type Version = string | number;

/** What the two ends tell each other, and what may be sent then. */
export interface Terms {
  /** The version that is spoken; the highest until one was agreed on. */
  readonly version: Version | undefined;
  /** Takes note of what a request of the peer says that it can do. */
  heard(method: string, params: unknown): void;
  /** Takes note of the version that a request of the peer asks for. */
  asked(method: string, params: unknown): void;
  /** Takes note of what the peer answers. Gives why the connection has to end. */
  answered(
    method: string,
    result: Readonly<Record<string, unknown>>,
  ): ConnectionError | undefined;
  /** Why a method must not be called, if it must not. */
  refusal(method: Method<unknown>): ConnectionError | undefined;
  /** A result as it is sent. */
  told(method: string, result: unknown): unknown;
  /** Throws if a payload must not be sent by an end that handles these. */
  check(
    method: Method<unknown>,
    position: "params" | "result",
    payload: unknown,
    handles: (method: string) => boolean,
  ): void;
}
