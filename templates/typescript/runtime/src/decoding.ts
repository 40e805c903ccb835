/** What a decoder gives instead of a value that is not one of its type. */
export const FAIL: unique symbol = /* @__PURE__ */ Symbol("fail");

/**
 * Decodes a value. It gives the value itself where nothing had to be changed, a changed copy
 * where something had to, and {@link FAIL} with the reason in the context.
 */
export type Decoder = (value: unknown, context: Context) => unknown;

/** The members of an object. */
export type Members = Record<string, unknown>;

/** A property's name, or an item's index. */
export type Step = string | number;

/** Why a value is not one of a type. */
export interface Failure {
  expected: string;
  found: string;
  /** From the inside: steps are added while the failure travels outwards. */
  steps: Step[];
}

/** What goes along while one value is decoded. */
export class Context implements Failure {
  expected = "";
  found = "";
  steps: Step[] = [];
  /** Whether nothing is forgiven. */
  readonly strict: boolean;
  /** Whether integers may be more than a number holds, where any JSON may stand. */
  readonly bigIntegers: boolean;
  /** What was forgiven in each copy, if anyone wants to know. */
  readonly drops: Map<unknown, Failure[]> | undefined;
  readonly #root: Context;
  #trials: Trials | undefined;
  #strictly: Context | undefined;

  constructor(
    strict: boolean,
    bigIntegers: boolean,
    drops: Map<unknown, Failure[]> | undefined,
    root?: Context,
  ) {
    this.strict = strict;
    this.bigIntegers = bigIntegers;
    this.drops = drops;
    this.#root = root ?? this;
  }

  /** The same, but that nothing is forgiven. */
  strictly(): Context {
    this.#strictly ??= new Context(true, this.bigIntegers, undefined, this);
    return this.#strictly;
  }

  /** What was tried in vain, strictly or not. */
  get trials(): Trials {
    this.#root.#trials ??= new Trials();
    return this.#root.#trials;
  }

  /** Takes note of a copy, if anything was tried. */
  copied(copy: unknown, value: unknown): void {
    const originals = this.#root.#trials?.originals;
    originals?.set(copy, originals.get(value) ?? value);
  }

  /** What was forgiven in a decoded value. */
  dropsIn(decoded: unknown): readonly Failure[] {
    return this.drops?.get(decoded) ?? [];
  }
}

/** Says why a value is not one of a type. */
export function fail(
  context: Context,
  expected: string,
  found: string,
): typeof FAIL {
  context.expected = expected;
  context.found = found;
  context.steps = [];
  return FAIL;
}

/** Says that a value should have been something else. */
export function mismatch(
  context: Context,
  value: unknown,
  expected: string,
): typeof FAIL {
  return fail(context, expected, kind(value));
}

/** Says the same, where a value of that kind may well be expected. */
export function refuse(
  context: Context,
  value: unknown,
  expected: string,
): typeof FAIL {
  const found = kind(value);
  const another = found.replace(/^an? /, "another ");
  return fail(context, expected, expected.includes(found) ? another : found);
}

/** Says that a property is missing. */
export function missing(context: Context, key: string): typeof FAIL {
  return within(context, key, mismatch(context, undefined, ""));
}

/** Refuses an object that has all of these properties. Says whether it does. */
export function forbids(
  context: Context,
  value: Members,
  ...keys: string[]
): boolean {
  const last = keys.at(-1);
  if (last === undefined) return false;
  if (keys.some((key) => own(value, key) === undefined)) return false;
  within(context, last, mismatch(context, value[last], "no such property"));
  return true;
}

/** Says that a tag is missing, not a string, or none of the known ones. */
export function badTag(
  context: Context,
  tag: unknown,
  key: string,
  ...known: string[]
): typeof FAIL {
  const found = typeof tag === "string" ? "another string" : kind(tag);
  return within(context, key, fail(context, oneOf(known), found));
}

/** The most choices that an error lists. */
const MOST_CHOICES = 20;

/** What to call a choice: `one of "a", "b"`. */
export function oneOf(values: readonly unknown[]): string {
  if (values.length === 0) return "a string";
  const listed = values.slice(0, MOST_CHOICES);
  const list = listed.map((value) => JSON.stringify(value)).join(", ");
  const others = values.length - listed.length;
  if (others > 0) return `one of ${list} or ${others.toString()} more`;
  return values.length === 1 ? list : `one of ${list}`;
}

/** Names the place of a failure, seen from further outside. */
export function within(
  context: Context,
  step: Step,
  failed: typeof FAIL,
): typeof FAIL {
  if (context.found === "nothing" && context.steps.length === 0) {
    context.expected = "a required property";
  }
  context.steps.push(step);
  return failed;
}

/** What to call a value: `a string`. */
export function kind(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "bigint") return "a number";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Whether a value is an object in the sense of JSON. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a property whose name all objects have one of. */
export function own(value: Members, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Names of properties. */
export type Keys = readonly string[];

/** Decodes a value to which some of the keys do not belong. */
export type Beside = (value: unknown, context: Context, outer: Keys) => unknown;

/** A variant of a union. */
export interface Ranked {
  readonly decoder: Beside;
  /** How many of an object's keys it knows, of those that not all variants know. */
  readonly count: (value: Members) => number;
}

/** A decoder that has failed. */
interface Failed {
  readonly decoder: Beside;
  readonly strict: boolean;
  readonly outer: Keys;
}

/**
 * What was tried in vain.
 *
 * What is tried decodes its parts, and what is tried next decodes them again. So without this the
 * time would double with each level of a recursive union.
 */
class Trials {
  /** The decoders that have failed for each value. */
  readonly failed: Map<unknown, Failed[]> = new Map<unknown, Failed[]>();
  /** What copies were made of. */
  readonly originals: Map<unknown, unknown> = new Map<unknown, unknown>();
}

/** Decodes a value, unless that has failed before. */
export function attempt(
  value: unknown,
  context: Context,
  decoder: Beside,
  outer: Keys = [],
): unknown {
  const { trials, strict } = context;
  const original = trials.originals.get(value) ?? value;
  const failed = trials.failed.get(original) ?? [];
  const isSame = (other: Failed): boolean =>
    other.decoder === decoder &&
    other.strict === strict &&
    other.outer.length === outer.length &&
    other.outer.every((key, index) => key === outer[index]);
  if (failed.some(isSame)) return FAIL;
  const decoded = decoder(value, context, outer);
  if (decoded === FAIL && typeof value === "object") {
    failed.push({ decoder, strict, outer });
    trials.failed.set(original, failed);
  }
  return decoded;
}

/** Decodes a value strictly, and forgives only if that fails. */
export function strictFirst<T>(
  value: T,
  context: Context,
  decoder: (value: T, context: Context) => unknown,
): unknown {
  if (!context.strict) {
    const decoded = decoder(value, context.strictly());
    if (decoded !== FAIL) return decoded;
  }
  return decoder(value, context);
}

/**
 * Decodes an object as the variant that knows most of its keys, of those that accept it. Some of
 * the keys may not belong to the variants; `trial` calls their decoders.
 */
export function mostKeys(
  value: unknown,
  context: Context,
  variants: readonly Ranked[],
  outer: Keys = [],
  trial: typeof attempt = decodeBeside,
): unknown {
  if (!isObject(value)) return FAIL;
  let best: Ranked | undefined;
  let most = -1;
  for (const variant of variants) {
    const count = variant.count(value);
    if (count <= most) continue;
    best = variant;
    most = count;
  }
  if (!best) return FAIL;
  const decoded = trial(value, context, best.decoder, outer);
  if (decoded !== FAIL) return decoded;
  const others = variants.filter((variant) => variant !== best);
  return mostKeys(value, context, others, outer, trial);
}

function decodeBeside(
  value: unknown,
  context: Context,
  decoder: Beside,
  outer: Keys = [],
): unknown {
  return decoder(value, context, outer);
}

/** Decodes the properties that are not named. */
export function members(
  context: Context,
  value: Members,
  result: Members,
  named: Keys,
  member: Decoder,
): Members | typeof FAIL {
  let changed: Members | typeof FAIL = result;
  for (const key of Object.keys(value)) {
    if (named.includes(key)) continue;
    const before = value[key];
    const after = member(before, context);
    if (after === before) continue;
    changed = put(context, value, changed, key, after);
    if (changed === FAIL) return FAIL;
  }
  return changed;
}

/** Puts a decoded property into a copy, unless it failed. */
export function put(
  context: Context,
  value: Members,
  result: Members,
  key: string,
  decoded: unknown,
): Members | typeof FAIL {
  if (decoded === FAIL) return within(context, key, decoded);
  const copy = writable(context, value, result);
  adopt(context, copy, key, decoded);
  return fill(context, value, copy, key, decoded);
}

/** The same, with what is put in its place if it failed: `undefined` for nothing. */
export function forgive(
  context: Context,
  value: Members,
  result: Members,
  key: string,
  decoded: unknown,
  fallback?: unknown,
): Members | typeof FAIL {
  if (decoded !== FAIL || context.strict) {
    return put(context, value, result, key, decoded);
  }
  const copy = writable(context, value, result);
  drop(context, copy, key);
  if (fallback !== undefined) return fill(context, value, copy, key, fallback);
  Reflect.deleteProperty(copy, key);
  return copy;
}

/** The same, where only `null` is forgiven. */
export function forgiveNull(
  context: Context,
  value: Members,
  result: Members,
  key: string,
  decoded: unknown,
  fallback?: unknown,
): Members | typeof FAIL {
  const next = own(value, key) === null ? forgive : put;
  return next(context, value, result, key, decoded, fallback);
}

/** Puts a default into a copy. */
export function fill(
  context: Context,
  value: Members,
  result: Members,
  key: string,
  filled: unknown,
): Members {
  const copy = writable(context, value, result);
  if (key === "__proto__") {
    const attributes = { enumerable: true, configurable: true, writable: true };
    return Object.defineProperty(copy, key, { ...attributes, value: filled });
  }
  copy[key] = filled;
  return copy;
}

/** A default that is written as JSON, each time a new one. */
export function fresh(json: string): unknown {
  return JSON.parse(json);
}

function writable(context: Context, value: Members, result: Members): Members {
  if (result !== value) return result;
  const copy = { ...value };
  const drops = context.drops?.get(value);
  if (drops) context.drops?.set(copy, drops);
  context.copied(copy, value);
  return copy;
}

/** Notes that the current failure is forgiven. */
export function drop(context: Context, copy: unknown, step: Step): void {
  const { expected, found, steps } = context;
  note(context, copy, step, [{ expected, found, steps }]);
}

/** Notes in a copy what was forgiven in a part of it. */
export function adopt(
  context: Context,
  copy: unknown,
  step: Step,
  part: unknown,
): void {
  note(context, copy, step, context.drops?.get(part));
}

function note(
  { drops }: Context,
  copy: unknown,
  step: Step,
  failures: readonly Failure[] | undefined,
): void {
  if (!drops || !failures) return;
  const all = drops.get(copy) ?? [];
  for (const failure of failures) {
    failure.steps.push(step);
    all.push(failure);
  }
  drops.set(copy, all);
}
