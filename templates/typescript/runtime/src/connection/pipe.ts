// Where bytes come from and go to.

import { parseJson, stringifyJson } from "../parsing.js";
import type { ConnectionError } from "./connection-error.js";
import type { MessageStream, Stream } from "./stream.js";

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
  /**
   * Takes what fails a call by its id: one whose answer will not come. Without
   * an id, what did not arrive is no call.
   */
  onLost?(fail: (id: unknown, error: ConnectionError) => void): void;
}

/** The pipe of a pair of streams. */
export function pipe(stream: Stream | MessageStream): Pipe {
  if ("isParsed" in stream) return new WebPipe(stream, MESSAGES);
  return stream.pipe ?? new WebPipe(stream, BYTES);
}

/** What chunks of streams are. */
interface Form<C> {
  /** A chunk as bytes. */
  readonly bytes: (chunk: C) => Uint8Array;
  /** Lines as chunks. */
  readonly chunks: (lines: string) => C[];
}

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();

const BYTES: Form<Uint8Array> = {
  bytes(chunk: unknown) {
    // Not by its class: that of another realm is another.
    if (ArrayBuffer.isView(chunk)) return chunk as Uint8Array;
    const why = "no bytes came in: messageStream is for parsed messages";
    throw new TypeError(why);
  },
  chunks: (lines) => [encoder.encode(lines)],
};

const MESSAGES: Form<unknown> = {
  bytes: (message) => encoder.encode(`${textOf(message)}\n`),
  chunks: (lines) =>
    lines
      .trimEnd()
      .split("\n")
      .map((line) => parseJson(line, { maxDepth: Infinity })),
};

/** A message as JSON; what cannot be one is no JSON. */
function textOf(message: unknown): string {
  try {
    return stringifyJson(message) ?? "undefined";
  } catch {
    return "undefined";
  }
}

/** Over the streams that all platforms have. */
class WebPipe<C> implements Pipe {
  readonly #reader: ReadableStreamDefaultReader<C>;
  readonly #writer: WritableStreamDefaultWriter<C>;
  readonly #form: Form<C>;
  #resume: (() => void) | undefined;
  #paused: Promise<void> | undefined;

  constructor(
    stream: { readable: ReadableStream<C>; writable: WritableStream<C> },
    form: Form<C>,
  ) {
    const { readable, writable } = stream;
    this.#form = form;
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
      const { value, done } = await this.#reader.read();
      if (done) return;
      take(this.#form.bytes(value));
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
    for (const chunk of this.#form.chunks(text)) {
      await this.#writer.ready;
      await this.#writer.write(chunk);
    }
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
