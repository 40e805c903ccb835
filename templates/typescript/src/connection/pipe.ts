// Where bytes come from and go to.

import type { ConnectionError } from "./connection-error.js";
import type { Stream } from "./stream.js";

/** Two directions of bytes. */
export interface Pipe {
  /**
   * Begins to give what comes in. `end` is called once nothing more comes, with
   * the reason if that is a failure.
   */
  read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void;
  /** Gives nothing more for now. */
  pause(): void;
  /** Goes on. */
  resume(): void;
  /** Gives nothing more. */
  cancel(): void;
  /** Resolves when there is space for more; rejects if nothing can go out. */
  write(text: string): Promise<void>;
  /** Says that nothing more goes out. */
  close(): Promise<void>;
  /** Takes what fails a call by its id: one whose answer will not come. */
  onLost?(fail: (id: unknown, error: ConnectionError) => void): void;
}

/** The pipe of a pair of streams. */
export function pipe(stream: Stream): Pipe {
  return stream.pipe ?? new WebPipe(stream);
}

/** Over the streams that all platforms have. */
class WebPipe implements Pipe {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder: TextEncoder = new TextEncoder();
  #resume: (() => void) | undefined;
  #paused: Promise<void> | undefined;

  constructor({ readable, writable }: Stream) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    // Failures show when something is written.
    this.#writer.closed.catch(() => undefined);
  }

  read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void {
    this.#read(take).then(() => {
      end();
    }, end);
  }

  async #read(take: (bytes: Uint8Array) => void): Promise<void> {
    for (;;) {
      await this.#paused;
      const { value } = await this.#reader.read();
      if (value === undefined) return;
      take(value);
    }
  }

  pause(): void {
    this.#paused ??= new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resume?.();
    this.#paused = undefined;
  }

  cancel(): void {
    this.resume();
    this.#reader.cancel().catch(() => undefined);
  }

  async write(text: string): Promise<void> {
    await this.#writer.ready;
    await this.#writer.write(this.#encoder.encode(text));
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
