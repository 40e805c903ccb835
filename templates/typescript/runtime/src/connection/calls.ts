// Calls that wait for their answers.

import type { Batch } from "./batch.js";

/** A call that has no answer yet. */
export interface Pending {
  /** Takes the answer. */
  readonly settle: (result: unknown, error: unknown) => void;
  readonly fail: (error: Error) => void;
  /** The notification whose handler made the call, if that is known. */
  readonly origin: number | undefined;
  /** The last notification that was given to its handler before the call. */
  readonly after: number;
  readonly method: string;
  /** The batch that it is part of. */
  readonly batch: Batch | undefined;
}

/** The calls on their way. Ids count up from 0. */
export class Calls {
  readonly #pending: Map<unknown, Pending> = new Map();
  #next = 0;

  /** How many calls wait. */
  get size(): number {
    return this.#pending.size;
  }

  /** Registers a call, and gives its id. */
  open(pending: Pending): number {
    const id = this.#next;
    this.#next += 1;
    this.#pending.set(id, pending);
    return id;
  }

  /** The call that a response with this id is for. */
  find(id: unknown): Pending | undefined {
    return this.#pending.get(id);
  }

  /** Forgets a call. Says whether it was still waiting. */
  forget(id: unknown): boolean {
    return this.#pending.delete(id);
  }

  /**
   * Whether a call waits that was made since this notification was given to
   * its handler.
   */
  hasSince(notification: number): boolean {
    for (const { after } of this.#pending.values()) {
      if (after >= notification) return true;
    }
    return false;
  }

  /** The ids of the calls of a batch. */
  of(batch: Batch): unknown[] {
    const ids = [...this.#pending.keys()];
    return ids.filter((id) => this.#pending.get(id)?.batch === batch);
  }

  /** The ids of the calls that were sent in one batch with any of these. */
  sentWith(ids: Iterable<unknown>): unknown[] {
    const batches = new Set<Batch>();
    for (const id of ids) {
      const batch = this.#pending.get(id)?.batch;
      if (batch !== undefined) batches.add(batch);
    }
    return [...batches].flatMap((batch) => this.of(batch));
  }

  /** Fails the calls with these ids. */
  fail(ids: Iterable<unknown>, error: Error): void {
    for (const id of ids) {
      const call = this.#pending.get(id);
      this.#pending.delete(id);
      call?.fail(error);
    }
  }

  /** Fails all calls but those with these ids. */
  failAll(error: Error, but: ReadonlySet<unknown>): void {
    const ids = [...this.#pending.keys()];
    this.fail(
      ids.filter((id) => !but.has(id)),
      error,
    );
  }
}
