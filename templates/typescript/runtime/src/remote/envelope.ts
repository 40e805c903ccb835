// What a line says about where it belongs.

import { items, type Message, messages, own, spell } from "../connection.js";
import type { RemoteRules } from "./rules.js";

/** What a message says about where it belongs. */
export type Envelope =
  | {
      readonly kind: "request";
      /** The id as JSON. */
      readonly id: string;
      readonly method: string;
      readonly session: string | undefined;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly session: string | undefined;
    }
  | {
      readonly kind: "response";
      /** The id as JSON. */
      readonly id: string;
      readonly isGood: boolean;
      readonly result: unknown;
    }
  | { readonly kind: "invalid"; readonly id: string };

export type RequestEnvelope = Extract<Envelope, { kind: "request" }>;
export type ResponseEnvelope = Extract<Envelope, { kind: "response" }>;

/** What is in a line. */
export interface Opened {
  /** Its message, if it is a single one. */
  readonly single: Envelope | undefined;
  /** That message, or the entries of a batch; none if it is no JSON. */
  readonly all: readonly Envelope[];
  readonly isBatch: boolean;
}

/** Whether a line may have a request or a response: they have an `id`. */
export function mayAsk(line: string): boolean {
  return line.includes('"id"') || line.includes("\\u");
}

/** Reads where the messages of a line belong. */
export function open(line: string, rules: RemoteRules): Opened {
  const found = messages(line);
  if (found === undefined) return { single: found, all: [], isBatch: false };
  if (Array.isArray(found)) {
    const texts = items(line);
    const all = found.map((it, at) => envelope(it, texts[at] ?? "", rules));
    return { single: undefined, all, isBatch: true };
  }
  const single = envelope(found, line, rules);
  return { single, all: [single], isBatch: false };
}

/** The texts of the messages of a line. */
export function singles(line: string): string[] {
  return line.startsWith("[") ? items(line) : [line];
}

/** The session that is named in params or in a result. */
export function sessionIn(
  value: unknown,
  rules: RemoteRules,
): string | undefined {
  const { session } = rules;
  const id = session && own(value, session.property);
  return typeof id === "string" ? id : undefined;
}

function envelope(
  message: Message,
  text: string,
  rules: RemoteRules,
): Envelope {
  switch (message.kind) {
    case "request": {
      const { kind, id, method, params } = message;
      return { kind, id, method, session: sessionIn(params, rules) };
    }
    case "notification": {
      const { kind, method, params } = message;
      return { kind, method, session: sessionIn(params, rules) };
    }
    case "response": {
      const { kind, result, error } = message;
      const id = spell(message.id, text) ?? "null";
      return { kind, id, isGood: error === undefined, result };
    }
    case "invalid":
      return message;
  }
}

/**
 * A text as one line. Line breaks between the values of JSON become spaces; what
 * is no JSON does not become any.
 */
export function oneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text.replace(/[\r\n]/g, "\u0001");
  }
  return text.replace(/[\r\n]/g, " ");
}
