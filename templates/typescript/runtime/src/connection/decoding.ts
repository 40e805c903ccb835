// From JSON to params and results.

import { DecodeError, type DecodeOptions } from "../codec.js";
import { isObject } from "./json.js";
import type { Link } from "./link.js";
import type { Coder } from "./method.js";
import { RequestError } from "./request-error.js";

/** What is wrong with params, as it is answered. */
export class WrongParams extends RequestError {
  /** Where it is. */
  readonly path: string;
  /** What it is. */
  readonly reason: string;

  constructor(error: DecodeError) {
    const { expected, found } = error;
    const path = within("params", error);
    super(-32602, "Invalid params", { path, expected, found });
    this.path = path;
    this.reason = mismatch(error);
  }
}

/**
 * Reads params. Absent params are those without any member. Throws what to
 * answer: -32602 with the place in `data`.
 */
export function decodeParams<P>(
  codec: Coder<P>,
  params: unknown,
  options: DecodeOptions | undefined,
): P {
  try {
    return params === undefined
      ? either(codec, {}, null, options)
      : codec.decode(params, options);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new WrongParams(error);
  }
}

/**
 * Reads a result. Where the result need not have any member, `null` and
 * nothing at all stand for it; and where it is only `null`, `{}` does.
 */
export function decodeResult<R>(
  codec: Coder<R>,
  result: unknown,
  options: DecodeOptions | undefined,
): R {
  if (result === undefined || result === null) {
    return either(codec, null, {}, options);
  }
  const isEmpty = isObject(result) && Object.keys(result).length === 0;
  return isEmpty
    ? either(codec, result, null, options)
    : codec.decode(result, options);
}

/**
 * How a payload is decoded. What is forgiven or rounded in it is told, if anyone
 * wants to know.
 */
export function forgiving(
  { watch, settings: { bigIntegers } }: Link,
  method: string,
  payload: "params" | "result" | "error.data",
): DecodeOptions | undefined {
  if (!watch.isWanted) {
    return bigIntegers === undefined ? undefined : { bigIntegers };
  }
  return {
    bigIntegers,
    onDropped(error) {
      const path = within(payload, error);
      const reason = mismatch(error);
      watch.trouble({ type: "forgiven", method, path, reason });
    },
  };
}

function mismatch({ expected, found }: DecodeError): string {
  return `expected ${expected}, found ${found}`;
}

/** The place of an error in something that has a name itself. */
export function within(name: string, error: DecodeError): string {
  const { path } = error;
  return path === "" || path.startsWith("[") ? name + path : `${name}.${path}`;
}

/** What the first of two values is, or else the second. */
function either<T>(
  codec: Coder<T>,
  first: unknown,
  second: unknown,
  options: DecodeOptions | undefined,
): T {
  try {
    return codec.decode(first, options);
  } catch (error) {
    try {
      return codec.decode(second, options);
    } catch {
      throw error;
    }
  }
}
