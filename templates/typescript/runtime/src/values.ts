import {
  adopt,
  drop,
  FAIL,
  fail,
  fill,
  isObject,
  kind,
  mismatch,
  oneOf,
  within,
  type Context,
  type Decoder,
} from "./decoding.js";
import { inexact, mayBeInexact } from "./parsing.js";

/** Any JSON value. */
export function any(value: unknown, context: Context): unknown {
  if (value === undefined) return mismatch(context, value, "a value");
  return mayBeInexact(value) ? exact(value, context) : value;
}

/** A value in which there are no numbers but those that are taken. */
export function exact(value: unknown, context: Context): unknown {
  const steps = inexact(value, context.bigIntegers);
  if (steps === undefined) return value;
  fail(context, "numbers that JavaScript holds", "a number out of range");
  context.steps.push(...steps);
  return FAIL;
}

/** `null`. */
export function nothing(value: unknown, context: Context): unknown {
  return value === null ? value : mismatch(context, value, "null");
}

/** `true` or `false`. */
export function boolean(value: unknown, context: Context): unknown {
  if (typeof value === "boolean") return value;
  return mismatch(context, value, "a boolean");
}

/** A string. */
export function string(value: unknown, context: Context): unknown {
  if (typeof value === "string") return value;
  return mismatch(context, value, "a string");
}

/** A string of so many characters. */
export function text(
  value: unknown,
  context: Context,
  minimum: number,
  maximum: number = Infinity,
): unknown {
  if (typeof value !== "string") return string(value, context);
  const count = Array.from(value).length;
  return sized(value, context, count, "characters", minimum, maximum);
}

/**
 * A whole number, however it was written: `1`, `1.0`. Beyond 2^53 it could have been rounded
 * before it came here.
 */
export function integer(
  value: unknown,
  context: Context,
  minimum: number = Number.MIN_SAFE_INTEGER,
  maximum: number = Number.MAX_SAFE_INTEGER,
): unknown {
  const isInfinite = value === Infinity || value === -Infinity;
  if (Number.isInteger(value) || typeof value === "bigint" || isInfinite) {
    return number(value, context, minimum, maximum);
  }
  const found = typeof value === "number" ? "a fraction" : kind(value);
  return fail(context, "an integer", found);
}

/** A number. */
export function number(
  value: unknown,
  context: Context,
  minimum: number = -Number.MAX_VALUE,
  maximum: number = Number.MAX_VALUE,
): unknown {
  if (typeof value === "bigint" && !Number.isSafeInteger(Number(value))) {
    return number(Number(value), context, minimum, maximum);
  }
  if (typeof value !== "number") return mismatch(context, value, "a number");
  if (value >= minimum && value <= maximum) return value;
  let expected = `a number from ${String(minimum)} to ${String(maximum)}`;
  if (maximum === Number.MAX_VALUE) {
    expected = `a number of at least ${String(minimum)}`;
  } else if (minimum === -Number.MAX_VALUE) {
    expected = `a number of at most ${String(maximum)}`;
  }
  return fail(context, expected, "a number out of range");
}

/** One of several strings or numbers. */
export function choice(
  value: unknown,
  context: Context,
  choices: readonly unknown[],
): unknown {
  if (choices.includes(value)) return value;
  const isSame = typeof value === typeof choices[0];
  const found = isSame ? `another ${typeof value}` : kind(value);
  return fail(context, oneOf(choices), found);
}

/** A constant. */
export function literal(
  value: unknown,
  context: Context,
  constant: unknown,
): unknown {
  if (same(value, constant)) {
    return typeof value === "bigint" ? constant : value;
  }
  const sort = kind(value);
  const found = sort === kind(constant) ? "another value" : sort;
  return fail(context, JSON.stringify(constant), found);
}

/** An array of anything. */
export function array(
  value: unknown,
  context: Context,
  minimum: number = 0,
  maximum: number = Infinity,
): unknown {
  if (!Array.isArray(value)) return mismatch(context, value, "an array");
  const { length } = value;
  const fits = sized(value, context, length, "items", minimum, maximum);
  return fits === FAIL ? FAIL : any(value, context);
}

/** An array of so many items. */
export function list(
  value: unknown,
  context: Context,
  item: Decoder,
  minimum?: number,
  maximum?: number,
): unknown {
  if (!Array.isArray(value)) return mismatch(context, value, "an array");
  let result: unknown[] = value;
  for (let index = 0; index < value.length; index++) {
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

/** The same, of which malformed items are left out. */
export function validItems(
  value: unknown,
  context: Context,
  item: Decoder,
  minimum?: number,
  maximum?: number,
): unknown {
  if (context.strict || !Array.isArray(value)) {
    return list(value, context, item, minimum, maximum);
  }
  let result: unknown[] = value;
  for (let index = 0; index < value.length; index++) {
    const before: unknown = value[index];
    const after = item(before, context);
    if (after !== before && result === value) result = value.slice(0, index);
    if (after === FAIL) {
      drop(context, result, index);
    } else if (result !== value) {
      adopt(context, result, index, after);
      result.push(after);
    }
  }
  const { length } = result;
  const fits = sized(value, context, length, "items", minimum, maximum);
  return fits === FAIL ? FAIL : result;
}

/** An object of anything. */
export function object(value: unknown, context: Context): unknown {
  if (!isObject(value)) return mismatch(context, value, "an object");
  return any(value, context);
}

/** An object used as a map. */
export function map(
  value: unknown,
  context: Context,
  member: Decoder,
): unknown {
  if (!isObject(value)) return object(value, context);
  let result = value;
  for (const key of Object.keys(value)) {
    const before = value[key];
    const after = member(before, context);
    if (after === before) continue;
    if (after === FAIL) return within(context, key, after);
    if (result === value) result = { ...value };
    adopt(context, result, key, after);
    result = fill(context, value, result, key, after);
  }
  return result;
}

/** A value with so many items, characters or members. */
export function sized(
  value: unknown,
  context: Context,
  count: number,
  unit: string,
  minimum: number = 0,
  maximum: number = Infinity,
): unknown {
  if (count >= minimum && count <= maximum) return value;
  const limit = maximum === Infinity ? "or more" : `to ${String(maximum)}`;
  return fail(context, `${String(minimum)} ${limit} ${unit}`, String(count));
}

function same(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => same(item, right[index]))
    );
  }
  if (typeof left === "bigint" && Number.isInteger(right)) {
    return left === BigInt(Number(right));
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && same(left[key], right[key]),
    )
  );
}
