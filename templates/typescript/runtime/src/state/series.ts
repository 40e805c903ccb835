// What updates add to.

import { isObject } from "../connection/json.js";

/** A list, a string, or bytes as a string in base64. */
export type Series = "list" | "text" | "base64";

/**
 * An object in which something was added to the end of what a path leads to.
 * Undefined if that cannot be.
 */
export function addedTo(
  value: unknown,
  path: readonly string[],
  added: unknown,
  series: Series,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return longer(value, added, series);
  const members = new Map(isObject(value) ? Object.entries(value) : []);
  const changed = addedTo(members.get(name), rest, added, series);
  if (changed === undefined) return undefined;
  members.set(name, changed);
  return Object.fromEntries(members);
}

function longer(before: unknown, added: unknown, series: Series): unknown {
  if (series === "list") {
    const list: unknown[] = Array.isArray(before) ? before : [];
    return [...list, added];
  }
  if (typeof added !== "string") return undefined;
  const text = typeof before === "string" ? before : "";
  return series === "text" ? text + added : bytesJoined(text, added);
}

// They are there wherever it runs, though not in every library of types.
declare function atob(text: string): string;
declare function btoa(bytes: string): string;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of two texts in base64. Undefined if one of them is none. */
function bytesJoined(before: string, added: string): string | undefined {
  // All but the last group stays as it is.
  const end = before.endsWith("=") ? before.length - 4 : before.length;
  const isBase64 = (text: string): boolean =>
    text.length % 4 === 0 && BASE64.test(text);
  if (!isBase64(before) || !isBase64(added)) return undefined;
  return before.slice(0, end) + btoa(atob(before.slice(end)) + atob(added));
}
