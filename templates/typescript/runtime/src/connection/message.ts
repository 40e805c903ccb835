// From a line to messages.

import { parseJson } from "../parsing.js";
import { items, member } from "./scan.js";

/** A JSON-RPC message. */
export type Message =
  | {
      readonly kind: "request";
      /** The id as JSON, as it is spelled. */
      readonly id: string;
      readonly method: string;
      readonly params: unknown;
      /** How long its text is. */
      readonly size: number;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly params: unknown;
      readonly size: number;
      /** The text of the message. */
      readonly text: string;
    }
  | {
      readonly kind: "response";
      readonly id: unknown;
      readonly result: unknown;
      readonly error: unknown;
      readonly size: number;
    }
  | {
      readonly kind: "invalid";
      /** The id as JSON where it can be read, else `null`. */
      readonly id: string;
    };

/**
 * The messages of a line: one, or the entries of a batch. `undefined` if the
 * line is not JSON, or nested deeper than so many levels.
 */
export function messages(
  line: string,
  maxDepth?: number,
): Message | Message[] | undefined {
  let value: unknown;
  try {
    value = parseJson(line, { maxDepth });
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return message(value, line);
  const texts = items(line);
  return value.map((entry, index) => message(entry, texts[index] ?? "null"));
}

/** Whether a value can be an id, from its text. */
export function isIdText(text: string): boolean {
  return /^["\-\dn]/.test(text);
}

/** An id as JSON, as it is spelled; a string in its canonical spelling. */
export function spelling(text: string): string {
  return text.startsWith('"') ? JSON.stringify(JSON.parse(text)) : text;
}

function message(value: unknown, text: string): Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return INVALID_MESSAGE;
  }
  const fields = value as Fields;
  const { method, params, result, error } = fields;
  const size = text.length;
  // Some peers leave the id out of an error where it has to be null.
  const isError = method === undefined && error !== undefined;
  const id = isError && result === undefined ? (fields.id ?? null) : fields.id;
  if (typeof method === "string" && id === undefined) {
    return { kind: "notification", method, params, size, text };
  }
  if (method === undefined && (typeof id === "number" || id === null)) {
    return { kind: "response", id, result, error, size };
  }
  const spelled = spell(id, text);
  if (spelled === undefined) return INVALID_MESSAGE;
  if (typeof method === "string") {
    return { kind: "request", id: spelled, method, params, size };
  }
  if (method === undefined) {
    return { kind: "response", id, result, error, size };
  }
  return { kind: "invalid", id: spelled };
}

const INVALID_MESSAGE: Message = { kind: "invalid", id: "null" };

interface Fields {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * An id as JSON, or `undefined` if it cannot be one. A number keeps its
 * spelling, which may say more than a number of JavaScript holds.
 */
export function spell(id: unknown, text: string): string | undefined {
  switch (typeof id) {
    case "string":
      return JSON.stringify(id);
    case "bigint":
    case "number": {
      const simple = String(id);
      const head = '{"jsonrpc":"2.0","id":' + simple;
      const next = text[head.length];
      // The way most messages begin: there is no need to search.
      if (text.startsWith(head) && (next === "," || next === "}")) {
        return simple;
      }
      return member(text, "id") ?? simple;
    }
    default:
      return id === null ? "null" : undefined;
  }
}
