// Several messages in one.

/** Collects the answers to a batch. */
export class Collector {
  readonly #answers: string[] = [];
  /** What is answered in place of them if they are too long together. */
  readonly #shorter: string[] = [];
  #missing: number;

  /** Waits for so many answers. */
  constructor(missing: number) {
    this.#missing = missing;
  }

  /**
   * Adds an answer, and what else to say if all of them together do not fit.
   * Gives the array once it is complete.
   */
  add(
    answer: string,
    shorter: string,
    fits: (line: string) => boolean,
  ): string | undefined {
    this.#answers.push(answer);
    this.#shorter.push(shorter);
    this.#missing -= 1;
    if (this.#missing > 0) return undefined;
    const all = `[${this.#answers.join()}]`;
    return fits(all) ? all : `[${this.#shorter.join()}]`;
  }
}

/** Messages that are to be sent together. */
export interface Batch {
  readonly entries: string[];
  /** Resolves when they are sent. */
  readonly sent: Promise<void>;
}
