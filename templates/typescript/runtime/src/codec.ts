import { Context, FAIL, fail, type Decoder, type Failure } from "./decoding.js";
import { held, mayBeInexact } from "./parsing.js";
import type { StandardSchemaV1 } from "./standard.js";
import { exact } from "./values.js";

/**
 * Turns JSON values, as `parseJson` gives them, into values of a type, and back.
 *
 * It is also a Standard Schema, so that libraries that take validators take it.
 */
export interface Codec<T> extends StandardSchemaV1<unknown, T> {
  /**
   * Gives the value, checked and with its defaults filled in. Properties that the type does not
   * name stay. The value given is never changed; where nothing had to be, it is what comes out.
   *
   * @throws {@link DecodeError} if it is not one of the type.
   */
  decode(value: unknown, options?: DecodeOptions): T;
  /** The same, with the error as a result. */
  safeDecode(value: unknown, options?: DecodeOptions): DecodeResult<T>;
  /** Gives what `JSON.stringify` is to write, or `stringifyJson` if there are big integers. */
  encode(value: T): unknown;
}

/** Choices in decoding. */
export interface DecodeOptions {
  /** Forgives nothing, not even what the schema says is forgiven. */
  readonly strict?: boolean | undefined;
  /**
   * What becomes of a `bigint` where any JSON may stand: `parseJson` gives one for an integer that
   * a number does not hold exactly. It is kept (`true`) or refused (`false`). Otherwise it is
   * rounded, as `JSON.parse` does, and `onDropped` is told.
   */
  readonly bigIntegers?: boolean | undefined;
  /**
   * Sees what was forgiven or rounded, each with its place, once the whole value turned out to be
   * right.
   */
  readonly onDropped?: ((dropped: DecodeError) => void) | undefined;
}

/** What {@link Codec.safeDecode} gives. */
export type DecodeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: DecodeError };

/**
 * Why a value is not one of a type: where, what was expected there, and what kind of thing was
 * found. It never holds a value of the message, only names of properties.
 */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  /** The steps to the place, from the outside. */
  readonly steps: readonly (string | number)[];
  /** What was expected: `a string`. */
  readonly expected: string;
  /** What kind of thing was found: `an array`, `nothing`. */
  readonly found: string;

  constructor(
    expected: string,
    found: string,
    steps: readonly (string | number)[] = [],
  ) {
    const path = pathOf(steps);
    super(`${path && `${path}: `}expected ${expected}, found ${found}`);
    this.steps = steps;
    this.expected = expected;
    this.found = found;
  }

  /** Where it is: `params.prompt[2].type`. Empty for the whole value. */
  get path(): string {
    return pathOf(this.steps);
  }
}

/** Makes the codec of what a function decodes. */
export function codec<T>(decoder: Decoder): Codec<T> {
  const safeDecode = (
    value: unknown,
    options: DecodeOptions = {},
  ): DecodeResult<T> => {
    const { strict = false, bigIntegers, onDropped } = options;
    const drops = onDropped && new Map<unknown, Failure[]>();
    const context = new Context(strict, bigIntegers !== false, drops);
    const isExact = !mayBeInexact(value);
    const taken = run(decoder, value, context);
    let decoded = taken;
    const changed: DecodeError[] = [];
    // What no type looks at was not looked at yet.
    if (!isExact && decoded !== FAIL) {
      decoded = holding(decoded, {
        bigIntegers,
        onDropped: (error) => changed.push(error),
      });
      if (bigIntegers === false) decoded = exact(decoded, context);
    }
    if (decoded === FAIL) return { ok: false, error: errorOf(context) };
    for (const drop of context.dropsIn(taken)) onDropped?.(errorOf(drop));
    for (const error of changed) onDropped?.(error);
    return { ok: true, value: decoded as T };
  };
  return {
    decode(value, options) {
      const result = safeDecode(value, options);
      if (!result.ok) throw result.error;
      return result.value;
    },
    safeDecode,
    encode: (value) => value,
    "~standard": {
      version: 1,
      vendor: "acp-bindgen",
      validate(value) {
        const result = safeDecode(value);
        if (result.ok) return { value: result.value };
        const { message, steps } = result.error;
        return { issues: [{ message, path: steps }] };
      },
    },
  };
}

/**
 * What was decoded, without what JavaScript does not hold: big integers are rounded, unless they are
 * asked for or refused, and a member with a number beyond a double is left out.
 */
export function holding(
  decoded: unknown,
  { bigIntegers, onDropped }: DecodeOptions,
): unknown {
  const keeps = bigIntegers !== undefined;
  return held(decoded, keeps, (expected, found, steps) => {
    onDropped?.(new DecodeError(expected, found, steps));
  });
}

/** Decodes a value; one that is nested deeper than the stack is refused, too. */
function run(decoder: Decoder, value: unknown, context: Context): unknown {
  try {
    return decoder(value, context);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(context, "fewer levels", "deeper nesting");
  }
}

function errorOf({ expected, found, steps }: Failure): DecodeError {
  return new DecodeError(expected, found, [...steps].reverse());
}

function pathOf(steps: readonly (string | number)[]): string {
  let path = "";
  for (const step of steps) {
    if (typeof step === "number") path += `[${String(step)}]`;
    else path += path === "" ? step : `.${step}`;
  }
  return path;
}
