// Messages on their way to the reader of a stream of events.

import { together } from "./body.js";
import { COST } from "./limits.js";
import { later, often } from "./timer.js";

/** An event that waits. */
interface Waiting {
  readonly bytes: Uint8Array;
  /** Whether it may be sent already. */
  readonly isReady: (() => boolean) | undefined;
}

/** What a comment says that ends a stream. */
export const CLOSED = "closed: ";

/** How long the reader of a stream that ends has for the rest. */
const GRACE = 5000;

/** How many bytes are given at a time. */
const CHUNK = 64 * 1024;

/** Messages on their way to the reader of a stream of events. */
export class EventStream {
  readonly #encoder: TextEncoder = new TextEncoder();
  readonly #changed: () => void;
  readonly #queue: Waiting[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #stopKeepAlive: (() => void) | undefined;
  #isWanted = false;
  #isOver = false;
  /** How many bytes wait, as the limits count them. */
  size = 0;
  /** How many messages were put in, and how many of them were given. */
  pushed = 0;
  given = 0;

  /** `changed` is called when something was given, or the reader has left. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Whether somebody reads it. */
  get hasReader(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Adds a message. It may have to wait until something is ready, and say how
   * many events of another stream came before it.
   */
  push(line: string, after?: number, isReady?: () => boolean): void {
    const order = after === undefined ? "" : `after: ${String(after)}\n`;
    this.#add(`${order}data: ${line}\n\n`, isReady);
    this.pushed += 1;
    this.flow();
  }

  /** Ends once what waits was given. A reader is told the reason. */
  end(reason?: string): void {
    if (this.#isOver) return;
    if (reason !== undefined) this.#add(`: ${CLOSED}${reason}\n\n`, undefined);
    this.#isOver = true;
    this.flow();
    const controller = this.#controller;
    if (controller === undefined) return;
    later(GRACE, () => {
      if (this.#controller === undefined) return;
      this.#detach();
      controller.error(new Error("the reader is too slow"));
    });
  }

  /** Has what waits go out on another stream. */
  moveTo(other: EventStream): void {
    const queue = this.#queue.splice(0);
    other.#queue.push(...queue);
    other.pushed += queue.length;
    other.size += this.size;
    this.size = 0;
    other.flow();
  }

  /** Reads it; a comment comes when nothing else does for so long. */
  open(keepAlive: number): ReadableStream<Uint8Array> {
    let given = -1;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          // So that the head of the answer is not held back.
          controller.enqueue(this.#encoder.encode(":\n\n"));
          this.#stopKeepAlive = often(keepAlive, () => {
            if (this.given === given && this.#isWanted) {
              this.#isWanted = false;
              controller.enqueue(this.#encoder.encode(": keep-alive\n\n"));
            }
            given = this.given;
          });
        },
        pull: () => {
          this.#isWanted = true;
          this.flow();
        },
        cancel: () => {
          this.#detach();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Gives what may be given. */
  flow(): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    const chunk = this.#isWanted ? this.#next() : undefined;
    if (chunk !== undefined) {
      this.#isWanted = false;
      controller.enqueue(chunk);
    }
    if (this.#isOver && this.#queue.length === 0) {
      this.#detach();
      controller.close();
    } else if (chunk !== undefined) {
      this.#changed();
    }
  }

  #add(text: string, isReady: (() => boolean) | undefined): void {
    const bytes = this.#encoder.encode(text);
    this.#queue.push({ bytes, isReady });
    this.size += bytes.length + COST;
  }

  /** The next events that may be given together. */
  #next(): Uint8Array | undefined {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (const { bytes, isReady } of this.#queue) {
      if (size > CHUNK || isReady?.() === false) break;
      chunks.push(bytes);
      size += bytes.length;
    }
    this.#queue.splice(0, chunks.length);
    this.size -= size + chunks.length * COST;
    this.given += chunks.length;
    return chunks.length === 0 ? undefined : together(chunks, size);
  }

  #detach(): void {
    this.#controller = undefined;
    this.#isWanted = false;
    this.#stopKeepAlive?.();
    this.#changed();
  }
}
