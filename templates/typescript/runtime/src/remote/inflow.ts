// What comes in, for a connection that may pause.

import { COST } from "./limits.js";

/** A line that waits, and who waits until it was taken. */
interface Waiting {
  readonly bytes: Uint8Array;
  readonly taken: (() => void) | undefined;
}

/** Lines for a connection, in order, as it takes them. */
export class Inflow {
  readonly #encoder: TextEncoder = new TextEncoder();
  #take: ((bytes: Uint8Array) => void) | undefined;
  #end: ((failure?: unknown) => void) | undefined;
  readonly #queue: Waiting[] = [];
  #isPaused = false;
  #isFlowing = false;
  #isOver = false;
  #failure: unknown;
  /** How many bytes wait, as the limits count them. */
  waiting = 0;

  /** Begins to give what comes in. */
  read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void {
    this.#take = take;
    this.#end = end;
    if (this.#isOver) this.end(this.#failure);
    else this.#flow();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#flow();
  }

  /** Whether a line would have to wait. */
  get isPaused(): boolean {
    return this.#take === undefined || this.#isPaused;
  }

  /** Gives a line, or keeps it. */
  push(line: string, taken?: () => void): void {
    if (this.#isOver) {
      taken?.();
      return;
    }
    const bytes = this.#encoder.encode(`${line}\n`);
    this.waiting += bytes.length + COST;
    this.#queue.push({ bytes, taken });
    this.#flow();
  }

  /** Gives a line, and waits until it was taken or nothing is any more. */
  give(line: string): Promise<void> {
    return new Promise((resolve) => {
      this.push(line, resolve);
    });
  }

  /** Nothing more comes: what waits is given, paused or not. */
  end(failure?: unknown): void {
    for (const { bytes, taken } of this.#queue.splice(0)) {
      this.#take?.(bytes);
      taken?.();
    }
    this.#over(failure);
  }

  /** Nothing more is given. */
  stop(failure?: unknown): void {
    for (const { taken } of this.#queue.splice(0)) taken?.();
    this.#over(failure);
  }

  #over(failure: unknown): void {
    this.#failure ??= failure;
    this.#isOver = true;
    const end = this.#end;
    this.#end = undefined;
    end?.(this.#failure);
  }

  #flow(): void {
    // Whoever takes a line may ask for more.
    if (this.#isFlowing) return;
    this.#isFlowing = true;
    while (!this.isPaused) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.waiting -= next.bytes.length + COST;
      this.#take?.(next.bytes);
      next.taken?.();
    }
    this.#isFlowing = false;
  }
}
