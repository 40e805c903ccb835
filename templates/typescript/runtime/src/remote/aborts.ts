// Requests that can be aborted all at once.

/**
 * Aborts what runs, all at once. Each request has a signal of its own: what a
 * runtime adds to a signal that many requests share stays there until they are
 * collected, and Node warns of it.
 */
export class Aborts {
  readonly #running: Set<AbortController> = new Set();
  #isOver = false;

  /** The signal of a request; once all were aborted, it is so from the start. */
  begin(): AbortController {
    const abort = new AbortController();
    if (this.#isOver) abort.abort();
    else this.#running.add(abort);
    return abort;
  }

  /** A request is over. */
  end(abort: AbortController): void {
    this.#running.delete(abort);
  }

  /** Aborts what runs, and whatever begins later. */
  abort(): void {
    this.#isOver = true;
    for (const abort of this.#running) abort.abort();
    this.#running.clear();
  }
}
