// Lines that cannot be read, and what they would have said.

import type { Calls } from "./calls.js";
import { Skimmer } from "./skim.js";

/** A line that cannot be read, as far as it has come. */
export class Unread {
  readonly #calls: Calls;
  readonly #skimmer: Skimmer = new Skimmer();
  readonly #answered: Set<unknown> = new Set();
  /**
   * How many messages there are, and what is known of the first if it is no
   * response.
   */
  #messages = 0;
  #id: string | undefined;
  #method: string | undefined;
  /** Whether a message is a call. */
  #hasCalls = false;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Reads on. */
  read(bytes: Uint8Array): void {
    this.#skimmer.read(bytes);
    this.#take();
  }

  /**
   * There is no more. An array that is cut off answers all calls of a batch of
   * which it answers one: a batch is answered by one array.
   */
  end(): void {
    const isWhole = this.#skimmer.end();
    this.#take();
    if (!this.#skimmer.isBatch || isWhole) return;
    const beside = this.#calls.sentWith(this.#answered);
    for (const id of beside) this.#answered.add(id);
  }

  #take(): void {
    for (const { id, method, isCall, isResponse } of this.#skimmer.take()) {
      this.#hasCalls ||= isCall;
      if (isResponse) {
        const answered: unknown = id === undefined ? null : JSON.parse(id);
        const waits = this.#calls.find(answered) !== undefined;
        if (waits) this.#answered.add(answered);
      } else if (this.#messages === 0) {
        this.#id = id;
        this.#method = method;
      }
      this.#messages += 1;
    }
  }

  /** The calls that it answers. */
  get answered(): ReadonlySet<unknown> {
    return this.#answered;
  }

  /** The most levels that were open at once. */
  get levels(): number {
    return this.#skimmer.levels;
  }

  /** Whether somebody may wait for an answer to it. */
  get isRefused(): boolean {
    return this.#answered.size === 0 || this.#hasCalls;
  }

  /** The id as JSON, if there is one call and its id is known, else `null`. */
  get id(): string {
    return (this.#isSingle ? this.#id : undefined) ?? "null";
  }

  /** The method, if there is one call and its method is known. */
  get method(): string | undefined {
    return this.#isSingle ? this.#method : undefined;
  }

  get #isSingle(): boolean {
    return this.#messages === 1 && !this.#skimmer.isBatch;
  }
}
