import {
  FAIL,
  fail,
  isObject,
  kind,
  missing,
  own,
  within,
  type Context,
  type Decoder,
  type Keys,
  type Members,
} from "./decoding.js";
import { integer, text } from "./values.js";

/** A number above a bound. */
export function above(
  value: unknown,
  context: Context,
  inner: Decoder,
  bound: number,
): unknown {
  const decoded = inner(value, context);
  if (decoded === FAIL || Number(decoded) > bound) return decoded;
  const expected = `a number above ${String(bound)}`;
  return fail(context, expected, "a number out of range");
}

/** A number below a bound. */
export function below(
  value: unknown,
  context: Context,
  inner: Decoder,
  bound: number,
): unknown {
  const decoded = inner(value, context);
  if (decoded === FAIL || Number(decoded) < bound) return decoded;
  const expected = `a number below ${String(bound)}`;
  return fail(context, expected, "a number out of range");
}

/** A multiple of a step, as far as the digits of a number tell: `0.3` is one of `0.1`. */
export function multiple(
  value: unknown,
  context: Context,
  inner: Decoder,
  step: number,
): unknown {
  const decoded = inner(value, context);
  if (decoded === FAIL) return FAIL;
  const quotient = Number(decoded) / step;
  const rest = Math.abs(quotient - Math.round(quotient));
  const isNear = rest <= Math.abs(quotient) * 2 * Number.EPSILON;
  if (isNear || !Number.isFinite(quotient)) return decoded;
  return fail(context, `a multiple of ${String(step)}`, "another number");
}

/** A whole number that is a multiple of a step. */
export function wholeMultiple(
  value: unknown,
  context: Context,
  inner: Decoder,
  step: number,
): unknown {
  const decoded = inner(value, context);
  if (decoded === FAIL || Number(decoded) % step === 0) return decoded;
  return fail(context, `a multiple of ${String(step)}`, "another number");
}

/** An array of which no item is there twice. */
export function distinct(
  value: unknown,
  context: Context,
  inner: Decoder,
): unknown {
  const decoded = inner(value, context);
  if (!Array.isArray(decoded)) return decoded;
  if (new Set(decoded).size === decoded.length) return decoded;
  const found = "an item that is there twice";
  return fail(context, "items that all differ", found);
}

/** A regular expression of the schema. */
export interface Pattern {
  /** As the schema has it. */
  readonly source: string;
  /** As this engine reads it. */
  readonly regexp: RegExp;
}

/** Makes a regular expression. `spelled`: how this engine reads it. */
export function pattern(source: string, spelled: string = source): Pattern {
  return { source, regexp: new RegExp(spelled, "u") };
}

/** A string of which some part matches a pattern. */
export function matching(
  value: unknown,
  context: Context,
  inner: Decoder,
  { source, regexp }: Pattern,
): unknown {
  const decoded = inner(value, context);
  if (typeof decoded !== "string" || regexp.test(decoded)) return decoded;
  return fail(context, `a string that matches \`${source}\``, "another string");
}

/** A known value, or another string that fits. */
export function boundedChoice(
  value: unknown,
  context: Context,
  choices: readonly unknown[],
  minimum: number,
  maximum: number = Infinity,
  pattern?: Pattern,
): unknown {
  if (choices.includes(value)) return value;
  const inner: Decoder = (other, at) => text(other, at, minimum, maximum);
  if (pattern) return matching(value, context, inner, pattern);
  return inner(value, context);
}

/** A known value, or another whole number within bounds. */
export function boundedInteger(
  value: unknown,
  context: Context,
  choices: readonly unknown[],
  minimum?: number,
  maximum?: number,
): unknown {
  if (choices.includes(value)) return value;
  return integer(value, context, minimum, maximum);
}

/** Sets of keys, of which an object has at least one. */
export interface KeyChoice {
  /** The sets in words. */
  readonly expected: string;
  readonly sets: readonly Keys[];
  /** Whether an object has no second of them. */
  readonly onlyOne?: boolean;
}

/** The rules for the keys of an object. */
export interface KeyRules {
  readonly minimum?: number;
  readonly maximum?: number;
  /** Keys that ask for others. */
  readonly dependent?: Readonly<Record<string, Keys>>;
  /** Sets of keys, of which an object has at least one. */
  readonly choices?: readonly KeyChoice[];
  /** How they are spelled. Only strict mode looks at that. */
  readonly names?: {
    readonly minimum?: number;
    readonly maximum?: number;
    readonly listed?: Keys;
    readonly pattern?: Pattern;
  };
}

/** An object used as a map, with rules for its keys. */
export function keyed(
  value: unknown,
  context: Context,
  inner: Decoder,
  rules: KeyRules,
): unknown {
  const decoded = inner(value, context);
  if (decoded === FAIL || !isObject(value)) return decoded;
  return keysFit(value, context, rules) ? decoded : FAIL;
}

/** Checks the keys of an object. */
export function keysFit(
  value: Members,
  context: Context,
  rules: KeyRules,
): boolean {
  const { minimum = 0, maximum = Infinity, dependent = {}, names } = rules;
  const keys = Object.keys(value);
  if (keys.length < minimum || keys.length > maximum) {
    const limit = maximum === Infinity ? "or more" : `to ${String(maximum)}`;
    const expected = `${String(minimum)} ${limit} properties`;
    fail(context, expected, String(keys.length));
    return false;
  }
  for (const [key, wanted] of Object.entries(dependent)) {
    if (own(value, key) === undefined) continue;
    const absent = wanted.find((name) => own(value, name) === undefined);
    if (absent === undefined) continue;
    missing(context, absent);
    return false;
  }
  for (const { expected, sets, onlyOne = false } of rules.choices ?? []) {
    const has = (key: string): boolean => own(value, key) !== undefined;
    const count = sets.filter((set) => set.every(has)).length;
    if (count === 1 || (count > 1 && !onlyOne)) continue;
    fail(context, expected, count === 0 ? "none of them" : "more");
    return false;
  }
  if (!context.strict || !names) return true;
  const { minimum: least = 0, maximum: most = Infinity, listed } = names;
  const wrong = keys.find((key) => {
    const { length } = Array.from(key);
    if (length < least || length > most) return true;
    if (listed?.includes(key) === false) return true;
    return names.pattern?.regexp.test(key) === false;
  });
  if (wrong === undefined) return true;
  const found = kind(value[wrong]);
  within(context, wrong, fail(context, "no property of this name", found));
  return false;
}

/** Refuses a property that is not listed, where nothing is forgiven. Says whether it does. */
export function denies(
  value: Members,
  context: Context,
  listed: Keys,
): boolean {
  if (!context.strict) return false;
  const other = Object.keys(value).find((key) => !listed.includes(key));
  if (other === undefined) return false;
  const found = kind(value[other]);
  within(context, other, fail(context, "no other property", found));
  return true;
}
