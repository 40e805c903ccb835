// From messages to bytes.

import type { Pipe } from "./pipe.js";

/** Messages on their way out, one a line. */
export class Outbox {
  readonly #pipe: Pipe;
  readonly #max: number;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  #text = "";
  #answers = 0;
  #senders: (() => void)[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /**
   * Senders wait while more than `max` characters are waiting. `changed` is
   * called when there is space again, `failed` when nothing can be written any
   * more.
   */
  constructor(
    pipe: Pipe,
    max: number,
    changed: () => void,
    failed: (error: unknown) => void,
  ) {
    this.#pipe = pipe;
    this.#max = max;
    this.#changed = changed;
    this.#failed = failed;
  }

  /** How many answers wait to be written. */
  get answers(): number {
    return this.#answers;
  }

  /** Whether nothing more is taken. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a sender may send at once. Others come first. */
  hasSpace(): boolean {
    return this.#text.length <= this.#max && this.#senders.length === 0;
  }

  /** Waits until a sender may send, or nobody may any more. */
  space(): Promise<void> {
    return new Promise((resolve) => this.#senders.push(resolve));
  }

  /** Adds a line. */
  push(line: string): void {
    if (this.#isClosed) return;
    this.#text += line + "\n";
    this.#writing ??= this.#write();
  }

  /** Adds a line that answers something. */
  answer(line: string): void {
    this.#answers += 1;
    this.push(line);
  }

  /** Waits until everything is written, and closes the output. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    this.drop();
    try {
      await this.#pipe.close();
    } catch {
      // It failed before, or the other end is gone.
    }
  }

  /** Takes nothing more. */
  drop(): void {
    this.#isClosed = true;
    this.#text = "";
    this.#answers = 0;
    this.#wake();
  }

  async #write(): Promise<void> {
    // What is sent together is written together.
    await Promise.resolve();
    try {
      while (this.#text !== "") {
        const text = this.#text;
        this.#text = "";
        this.#answers = 0;
        const written = this.#pipe.write(text);
        this.#wake();
        await written;
      }
    } catch (error) {
      this.drop();
      this.#failed(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #wake(): void {
    const senders = this.#senders;
    this.#senders = [];
    for (const sender of senders) sender();
    this.#changed();
  }
}
