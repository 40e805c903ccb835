// Messages that cancel requests.

import { stringifyJson } from "../parsing.js";
import { own } from "./json.js";
import type { CancelBy } from "./options.js";

/** What a message of a method cancels. */
export interface Cancels {
  /** The request that is cancelled. */
  readonly request: string;
  /** The property that is the same in the params of both. */
  readonly key: string;
  /**
   * What a request is answered that ends by it, as JSON. Without it that is an
   * error.
   */
  readonly result?: string;
}

/** Says what messages cancel, by their methods. */
export function cancelling(
  by: Readonly<Record<string, readonly Cancels[]>>,
): CancelBy {
  const rules = Object.entries(by).flatMap(([method, all]) =>
    all.map((rule, place) => ({ ...rule, method, place })),
  );
  type Rule = (typeof rules)[number];
  const marked = (
    { method, place, key }: Rule,
    params: unknown,
  ): string | undefined => {
    const value = own(params, key);
    const text = value === undefined ? undefined : stringifyJson(value);
    return text && `${method} ${String(place)} ${text}`;
  };
  return {
    isBy: (method) => rules.some((rule) => rule.method === method),
    marks: (method, params) =>
      rules.flatMap((rule) =>
        rule.request === method ? (marked(rule, params) ?? []) : [],
      ),
    cancelled: (method, params) =>
      rules.flatMap((rule) => {
        const isIt = rule.method === method;
        const mark = isIt ? marked(rule, params) : undefined;
        return mark === undefined ? [] : { mark, result: rule.result };
      }),
  };
}
