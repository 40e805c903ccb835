import {
  adopt,
  FAIL,
  mismatch,
  within,
  type Context,
  type Decoder,
} from "./decoding.js";
import { sized } from "./values.js";

/** An array whose items have decoders by their places, and one for all others. */
export function tuple(
  value: unknown,
  context: Context,
  items: readonly Decoder[],
  rest: Decoder | undefined,
  minimum?: number,
  maximum?: number,
): unknown {
  if (!Array.isArray(value)) return mismatch(context, value, "an array");
  let result: unknown[] = value;
  for (let index = 0; index < value.length; index++) {
    const item = items[index] ?? rest;
    if (item === undefined) break;
    const before: unknown = value[index];
    const after = item(before, context);
    if (after === before) continue;
    if (after === FAIL) return within(context, index, after);
    if (result === value) result = value.slice();
    adopt(context, result, index, after);
    result[index] = after;
  }
  const { length } = value;
  const fits = sized(value, context, length, "items", minimum, maximum);
  return fits === FAIL ? FAIL : result;
}
