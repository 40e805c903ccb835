// Reading what calls carry, as a connection does.

import type { Codec, DecodeOptions } from "./codec.js";
import { isObject } from "./decoding.js";

/** Reads params. Absent ones are those without any member. */
export function paramsOf<T>(
  coder: Codec<T>,
  params: unknown,
  options: DecodeOptions | undefined,
): T {
  return params === undefined
    ? either(coder, {}, null, options)
    : coder.decode(params, options);
}

/**
 * Reads a result. Where it need not have any member, `null` and nothing at all
 * stand for it; and where it is only `null`, `{}` does.
 */
export function resultOf<T>(
  coder: Codec<T>,
  result: unknown,
  options: DecodeOptions | undefined,
): T {
  if (result === undefined || result === null) {
    return either(coder, null, {}, options);
  }
  const isEmpty = isObject(result) && Object.keys(result).length === 0;
  return isEmpty
    ? either(coder, result, null, options)
    : coder.decode(result, options);
}

/** What the first of two values is, or else the second. */
function either<T>(
  coder: Codec<T>,
  first: unknown,
  second: unknown,
  options: DecodeOptions | undefined,
): T {
  const decoded = coder.safeDecode(first, options);
  if (decoded.ok) return decoded.value;
  const other = coder.safeDecode(second, options);
  if (other.ok) return other.value;
  throw decoded.error;
}
