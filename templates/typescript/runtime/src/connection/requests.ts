// Requests that have no answer yet.

import type { Running } from "./running.js";

/** Requests that have no answer yet, found by what may cancel them. */
export class Requests {
  readonly #marked = new Map<string, Set<Running>>();

  /** Those with a mark. */
  with(mark: string): Running[] {
    return [...(this.#marked.get(mark) ?? [])];
  }

  /** Adds one. */
  add(running: Running): void {
    for (const mark of running.marks) {
      const marked = this.#marked.get(mark);
      if (marked === undefined) this.#marked.set(mark, new Set([running]));
      else marked.add(running);
    }
  }

  /** Takes one out that is answered. */
  delete(running: Running): void {
    for (const mark of running.marks) {
      const marked = this.#marked.get(mark);
      marked?.delete(running);
      if (marked?.size === 0) this.#marked.delete(mark);
    }
  }
}
