// Joining the pieces of an output.

import * as rpc from "../connection.js";

/** A piece does not fit what was joined before. */
export class JoinError extends Error {
  override readonly name = "JoinError";
}

/**
 * Joins a piece to the output so far, which is `undefined` before the first.
 *
 * Numbers are added, strings and arrays put end to end (the last item of the
 * one joined with the first of the other), objects merged; `null` is nothing.
 * The arguments stay as they are. Throws a {@link JoinError} for what cannot
 * be joined.
 */
export function join(output: unknown, delta: unknown): unknown {
  if (delta === null) return output === undefined ? null : output;
  const isNothing = output === undefined || output === null;
  if (isArray(delta) && (isNothing || (isArray(output) && output.length === 0)))
    return delta[0] === null ? delta.slice(1) : delta;
  if (isNothing) return delta;
  if (typeof output === "string" && typeof delta === "string")
    return output + delta;
  if (typeof output === "number" && typeof delta === "number")
    return output + delta;
  if (isArray(output) && isArray(delta)) {
    if (delta.length === 0) return output;
    const [first, ...rest] = delta;
    return [...output.slice(0, -1), join(output.at(-1), first), ...rest];
  }
  if (rpc.isObject(output) && rpc.isObject(delta)) {
    const entries = Object.entries(delta).map(([key, value]) => {
      const before = Object.hasOwn(output, key) ? output[key] : undefined;
      return [key, join(before, value)] as const;
    });
    // Unlike an assignment, this takes `__proto__` for a key like any other.
    return Object.fromEntries([...Object.entries(output), ...entries]);
  }
  throw new JoinError(`${kind(output)} and ${kind(delta)} cannot be joined`);
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function kind(value: unknown): string {
  if (isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
