// What generated code says of the methods of a side.

import {
  type Codec,
  DecodeError,
  type DecodeOptions,
  holding,
} from "../codec.js";
import { inexact, mayBeInexact } from "../parsing.js";
import type { RequestError } from "./request-error.js";
import type { Rules } from "./rules.js";

/** What is needed of the codec of params or of a result. */
export type Coder<T> = Pick<Codec<T>, "decode" | "encode">;

/** A method, and what it takes to call and to handle it. */
export interface Method<P> {
  /** Its name on the wire. */
  readonly name: string;
  /** Its name in the interface of who handles it. */
  readonly handler: string;
  readonly params: Coder<P>;
}

/** A method that is answered. */
export interface RequestMethod<P, R> extends Method<P> {
  readonly result: Coder<R>;
  /** The result need not say anything, so that a handler may return nothing. */
  readonly empty?: true;
}

/** What a side handles. */
export interface Side {
  readonly rules: Rules;
  /** The class of the errors that calls are answered with. */
  readonly requestError: typeof RequestError;
  /** The environment variable that has connections logged. */
  readonly logVariable: string;
  readonly methods: readonly (
    Method<unknown> | RequestMethod<unknown, unknown>
  )[];
  /** What handles requests whose methods begin with `_`. */
  readonly extMethod?: RequestMethod<unknown, unknown>;
  /** What handles notifications whose methods begin with `_`. */
  readonly extNotification?: Method<unknown>;
}

/** Any JSON, as it is. */
export const raw: Coder<unknown> = {
  decode: anything,
  encode: (value) => value,
};

/** A result that is only `null`. */
export const none: Coder<null> = {
  decode(value) {
    if (value !== null) throw new DecodeError("null", "something else");
    return null;
  },
  encode: () => null,
};

/** What handles requests that nothing else does. */
export const unknownMethod: RequestMethod<unknown, unknown> = {
  name: "",
  handler: "unknownMethod",
  params: raw,
  result: raw,
};

/** What handles notifications that nothing else does. */
export const unknownNotification: Method<unknown> = {
  name: "",
  handler: "unknownNotification",
  params: raw,
};

/** Any JSON, of which an object is expected. */
export const rawObject: Coder<Record<string, unknown>> = {
  decode: (value, options) =>
    anything(value, options) as Record<string, unknown>,
  encode: (value) => value,
};

/** Any JSON. */
function anything(value: unknown, options: DecodeOptions = {}): unknown {
  if (!mayBeInexact(value)) return value;
  const steps = inexact(value, options.bigIntegers !== false);
  if (steps === undefined) return holding(value, options);
  const [expected, found] = ["numbers that JavaScript holds", "out of range"];
  throw new DecodeError(expected, `a number ${found}`, steps.reverse());
}

/** A method of another name. */
export function named<M extends object>(
  method: M,
  name: string,
): M & { readonly name: string } {
  return { ...method, name };
}
