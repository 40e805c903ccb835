// Messages that cancel requests.

import { isSame, own } from "./json.js";

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

/** Whether the params of a message and of a request have the same key. */
export function isFor(
  { key }: Cancels,
  message: unknown,
  request: unknown,
): boolean {
  const named = own(message, key);
  return named !== undefined && isSame(named, own(request, key));
}
