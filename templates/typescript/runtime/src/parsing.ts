/** Choices in parsing. */
export interface ParseOptions {
  /**
   * How deeply arrays and objects may be nested.
   *
   * @default 128
   */
  readonly maxDepth?: number | undefined;
}

/**
 * Parses JSON, and loses nothing in silence: an integer that a number does not hold exactly is a
 * `bigint`, which a codec rounds, keeps or refuses. Half a surrogate pair is no JSON.
 *
 * @throws `SyntaxError` if the text is no JSON, or nested too deeply.
 */
export function parseJson(
  text: string,
  { maxDepth = 128 }: ParseOptions = {},
): unknown {
  const value: unknown = JSON.parse(text);
  const mayHaveHalves = text.includes("\\") || HALF.test(text);
  if (isOrdinaryPart(value, maxDepth, mayHaveHalves)) return value;
  return parseCarefully(text, maxDepth);
}

/**
 * Writes JSON as `JSON.stringify` does, a `bigint` as the integer that it is.
 *
 * @throws `TypeError` if it cannot be written, or has half a surrogate pair:
 * nobody would take that for JSON.
 */
export function stringifyJson(value: unknown): string | undefined {
  const text = written(value);
  if (text?.includes("\\ud") === true && WRITTEN_HALF.test(text)) {
    throw new TypeError(HALF_A_PAIR);
  }
  return text;
}

function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  // What would look like a mark is refused here.
  const text = JSON.stringify(value, (key, item: unknown) => {
    if (typeof item === "bigint") return MARK + String(item);
    if (HALF.test(key) || (typeof item === "string" && HALF.test(item))) {
      throw new TypeError(HALF_A_PAIR);
    }
    return item;
  }) as string | undefined;
  return text?.replace(/"\\ud800(-?\d+)"/g, "$1");
}

const HALF_A_PAIR = "half a surrogate pair";

/** Half a surrogate pair as `JSON.stringify` writes it. It escapes no whole one. */
const WRITTEN_HALF = /[^\\](?:\\\\)*\\ud/;

/** Half a surrogate pair. */
const HALF = /\p{Surrogate}/u;

/** What no string of JSON begins with: half a surrogate pair. */
const MARK = "\ud800";

/** Objects and arrays in which there is a number, however deep, that JavaScript does not hold. */
const INEXACT: WeakSet<object> = /* @__PURE__ */ new WeakSet();

/** Whether there is nothing in an object or array that has to be looked at more closely. */
function isOrdinary(
  value: object,
  levels: number,
  mayHaveHalves: boolean,
): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (!isOrdinaryPart(item, levels - 1, mayHaveHalves)) return false;
    }
    return true;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (!isOrdinaryPart(member, levels - 1, mayHaveHalves)) return false;
    if (mayHaveHalves && HALF.test(key)) return false;
  }
  return true;
}

function isOrdinaryPart(
  part: unknown,
  levels: number,
  mayHaveHalves: boolean,
): boolean {
  switch (typeof part) {
    case "string":
      return !mayHaveHalves || !HALF.test(part);
    case "number":
      return part <= MAX_SAFE && part >= -MAX_SAFE;
    case "object":
      return part === null || isOrdinary(part, levels, mayHaveHalves);
    default:
      return true;
  }
}

const MAX_SAFE: number = Number.MAX_SAFE_INTEGER;

const TOKEN = /[[\]{}"]|-?\d[\d.eE+-]*/g;

/** Parses JSON of which the syntax is known to be right. */
function parseCarefully(text: string, maxDepth: number): unknown {
  const token = new RegExp(TOKEN);
  let exact = "";
  let copied = 0;
  let depth = 0;
  for (;;) {
    const found = token.exec(text);
    if (found === null) break;
    const { 0: part, index } = found;
    if (part === '"') {
      token.lastIndex = endOfString(text, index);
      check(text.slice(index, token.lastIndex));
    } else if (part === "[" || part === "{") {
      depth += 1;
      if (depth > maxDepth) {
        throw new SyntaxError(`nested deeper than ${String(maxDepth)} levels`);
      }
    } else if (part === "]" || part === "}") {
      depth -= 1;
    } else if (/^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part))) {
      exact += `${text.slice(copied, index)}"\\ud800${part}"`;
      copied = token.lastIndex;
    }
  }
  return JSON.parse(exact + text.slice(copied), revive);
}

/** Where the string ends that begins there. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (;;) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
}

/** Refuses a string, as JSON, with half a surrogate pair. */
function check(text: string): void {
  const string = text.includes("\\u") ? String(JSON.parse(text)) : text;
  if (HALF.test(string)) throw new SyntaxError(HALF_A_PAIR);
}

/** Makes integers of what stands for them, and takes note of what is around them. */
function revive(this: object, _key: string, value: unknown): unknown {
  const isMarked = typeof value === "string" && value.startsWith(MARK);
  const revived = isMarked ? BigInt(value.slice(1)) : value;
  if (mayBeInexact(revived)) INEXACT.add(this);
  return revived;
}

/** Whether a value is, or may hold, a number that JavaScript does not hold. */
export function mayBeInexact(value: unknown): boolean {
  switch (typeof value) {
    case "bigint":
      return true;
    case "number":
      return !Number.isFinite(value);
    case "object":
      return value !== null && INEXACT.has(value);
    default:
      return false;
  }
}

/** The steps to the first such number, the innermost first, if there is one. */
export function inexact(
  value: unknown,
  takesBigIntegers: boolean,
): (string | number)[] | undefined {
  if (typeof value === "bigint") return takesBigIntegers ? undefined : [];
  if (typeof value === "number") return Number.isFinite(value) ? undefined : [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const steps = inexact(member, takesBigIntegers);
    if (steps === undefined) continue;
    steps.push(Array.isArray(value) ? Number(key) : key);
    return steps;
  }
  return undefined;
}

/** What may be said of a number that is not held as it is: what it should be, and what it is. */
type Tell = (
  expected: string,
  found: string,
  steps: readonly (string | number)[],
) => void;

/**
 * A value in which all is held by JavaScript: members of objects with a number beyond a double are
 * left out, and big integers, unless they are kept, are numbers, as `JSON.parse` rounds them.
 * `tell` is told where. What has neither is given as it is; `undefined` is nothing that is left.
 */
export function held(
  value: unknown,
  keepsBigIntegers: boolean,
  tell: Tell,
  steps: readonly (string | number)[] = [],
): unknown {
  if (typeof value === "bigint" && !keepsBigIntegers) {
    const found = "a larger one, which is rounded";
    tell("an integer that a number holds", found, steps);
    return Number(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    tell("numbers that JavaScript holds", "a number out of range", steps);
    return undefined;
  }
  if (typeof value !== "object" || value === null) return value;
  const isArray = Array.isArray(value);
  let copy: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const place = [...steps, isArray ? Number(key) : key];
    const kept = held(member, keepsBigIntegers, tell, place);
    if (kept === member) continue;
    if (kept === undefined && isArray) return undefined;
    copy ??= (isArray ? Array.from<unknown>(value) : { ...value }) as Record<
      string,
      unknown
    >;
    // Whatever its name is.
    if (kept === undefined) Reflect.deleteProperty(copy, key);
    else {
      Object.defineProperty(copy, key, {
        value: kept,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
  return copy ?? value;
}
