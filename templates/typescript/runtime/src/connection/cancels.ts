// Messages that cancel requests.

import { stringifyJson } from "../parsing.js";
import { own } from "./json.js";
import type { Turn } from "./rules.js";

/** Requests that a message cancels. */
export interface Cancelled {
  /** What they are found by. */
  readonly mark: string;
  /** What they are answered that end by it, as JSON, in place of an error. */
  readonly result: string | undefined;
}

/** What messages cancel. */
export class Turns {
  readonly #rules: readonly (Turn & { readonly place: number })[];

  constructor(rules: readonly Turn[]) {
    this.#rules = rules.map((rule, place) => ({ ...rule, place }));
  }

  /** Whether messages of a method cancel requests. */
  isBy(method: string): boolean {
    return this.#rules.some((rule) => rule.method === method);
  }

  /** What a request is found by, for the messages that cancel it. */
  marks(method: string, params: unknown): readonly string[] {
    return this.#rules.flatMap((rule) =>
      rule.request === method ? (marked(rule, params) ?? []) : [],
    );
  }

  /** What a message finds the requests by that it cancels, and what they are answered. */
  cancelled(method: string, params: unknown): readonly Cancelled[] {
    return this.#rules.flatMap((rule) => {
      const mark = rule.method === method ? marked(rule, params) : undefined;
      return mark === undefined ? [] : { mark, result: rule.result };
    });
  }
}

function marked(
  { place, key }: { readonly place: number; readonly key: string },
  params: unknown,
): string | undefined {
  const value = own(params, key);
  const text = value === undefined ? undefined : stringifyJson(value);
  return text && `${String(place)} ${text}`;
}
