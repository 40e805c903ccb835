// Several messages in one.

/** Collects the answers to a batch. */
export class Collector {
  readonly #answers: string[] = [];
  #missing: number;

  /** Waits for so many answers. */
  constructor(missing: number) {
    this.#missing = missing;
  }

  /** Adds an answer, and gives the array once it is complete. */
  add(answer: string): string | undefined {
    this.#answers.push(answer);
    this.#missing -= 1;
    return this.#missing > 0 ? undefined : `[${this.#answers.join()}]`;
  }
}

/** Messages that are to be sent together. */
export interface Batch {
  readonly entries: string[];
  /** Resolves when they are sent. */
  readonly sent: Promise<void>;
}
