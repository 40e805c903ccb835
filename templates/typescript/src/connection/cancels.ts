// Messages that cancel requests.

import { isSame, own } from "./json.js";
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

/** Cancels what messages are about, by their methods. */
export function cancelling(
  by: Readonly<Record<string, readonly Cancels[]>>,
): CancelBy {
  const of = (method: string): readonly Cancels[] =>
    (own(by, method) as readonly Cancels[] | undefined) ?? [];
  return {
    isBy: (method) => of(method).length > 0,
    cancel: (method, params, requests) => {
      for (const { request, key, result } of of(method)) {
        const named = own(params, key);
        if (named === undefined) continue;
        for (const each of requests()) {
          const isOne = each.method === request;
          if (isOne && isSame(named, own(each.params, key))) {
            each.cancel(result);
          }
        }
      }
    },
  };
}
