// From JSON to params and results.

import { DecodeError } from "../codec.js";
import { RequestError } from "../errors.js";
import { isObject } from "./json.js";
import type { Coder } from "./method.js";

/**
 * Reads params. Absent params are those without any member. Throws what to
 * answer: -32602 with the place in `data`.
 */
export function decodeParams<P>(codec: Coder<P>, params: unknown): P {
  try {
    return params === undefined
      ? either(codec, {}, null)
      : codec.decode(params);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { expected, found } = error;
    const path = within("params", error);
    throw RequestError.invalidParams({ path, expected, found });
  }
}

/**
 * Reads a result. Where the result need not have any member, `null` and
 * nothing at all stand for it; and where it is only `null`, `{}` does.
 */
export function decodeResult<R>(codec: Coder<R>, result: unknown): R {
  if (result === undefined || result === null) return either(codec, null, {});
  const isEmpty = isObject(result) && Object.keys(result).length === 0;
  return isEmpty ? either(codec, result, null) : codec.decode(result);
}

/** The place of an error in something that has a name itself. */
export function within(name: string, error: DecodeError): string {
  const { path } = error;
  return path === "" || path.startsWith("[") ? name + path : `${name}.${path}`;
}

/** What the first of two values is, or else the second. */
function either<T>(codec: Coder<T>, first: unknown, second: unknown): T {
  try {
    return codec.decode(first);
  } catch (error) {
    try {
      return codec.decode(second);
    } catch {
      throw error;
    }
  }
}
