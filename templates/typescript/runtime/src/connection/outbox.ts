// From messages to bytes.

import type { Pipe } from "./pipe.js";
import { byteLength } from "./scan.js";

/** Messages on their way out, one a line. */
export class Outbox {
  readonly #pipe: Pipe;
  readonly #max: number;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  #text = "";
  /** How many bytes that takes, once somebody had to know. */
  #size: number | undefined;
  #answers = 0;
  #senders: (() => void)[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /**
   * Senders wait while more than `max` bytes are waiting. `changed` is
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
    return this.#isWithin() && this.#senders.length === 0;
  }

  /** Whether no more bytes wait than may. They are counted only if need be. */
  #isWithin(): boolean {
    const { length } = this.#text;
    if (length * 3 <= this.#max) return true;
    if (length > this.#max) return false;
    this.#size ??= byteLength(this.#text);
    return this.#size <= this.#max;
  }

  /** Waits until it may have changed whether a sender may send. */
  space(): Promise<void> {
    return new Promise((resolve) => this.#senders.push(resolve));
  }

  /** Adds a line. */
  push(line: string): void {
    if (this.#isClosed) return;
    this.#text += line + "\n";
    if (this.#size !== undefined) this.#size += byteLength(line) + 1;
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
    this.#take();
    this.wake();
  }

  /** Takes all that waits. */
  #take(): string {
    const text = this.#text;
    this.#text = "";
    this.#size = undefined;
    this.#answers = 0;
    return text;
  }

  async #write(): Promise<void> {
    // What is sent together is written together.
    await Promise.resolve();
    try {
      while (this.#text !== "") {
        const text = this.#take();
        const written = this.#pipe.write(text);
        this.wake();
        await written;
      }
    } catch (error) {
      this.drop();
      this.#failed(error);
    } finally {
      this.#writing = undefined;
    }
  }

  /** Has those who wait for space look again whether they may send. */
  wake(): void {
    const senders = this.#senders;
    this.#senders = [];
    for (const sender of senders) sender();
    this.#changed();
  }
}
