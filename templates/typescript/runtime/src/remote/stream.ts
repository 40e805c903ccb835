// A pipe as what connections are made over.

import type { Pipe, Stream } from "../connection.js";

/** A pipe as what connections are made over. */
export class PipeStream implements Stream {
  readonly pipe: Pipe;
  #readable: ReadableStream<Uint8Array> | undefined;
  #writable: WritableStream<Uint8Array> | undefined;

  constructor(pipe: Pipe) {
    this.pipe = pipe;
  }

  get readable(): ReadableStream<Uint8Array> {
    return (this.#readable ??= readable(this.pipe));
  }

  get writable(): WritableStream<Uint8Array> {
    return (this.#writable ??= writable(this.pipe));
  }
}

function readable(pipe: Pipe): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const take = (bytes: Uint8Array): void => {
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) pipe.pause();
      };
      pipe.read(take, (failure) => {
        if (failure === undefined) controller.close();
        else controller.error(failure);
      });
    },
    pull() {
      pipe.resume();
    },
    cancel() {
      pipe.cancel();
    },
  });
}

function writable(pipe: Pipe): WritableStream<Uint8Array> {
  const decoder = new TextDecoder();
  let text = "";
  return new WritableStream<Uint8Array>({
    async write(bytes) {
      text += decoder.decode(bytes, { stream: true });
      const end = text.lastIndexOf("\n") + 1;
      const lines = text.slice(0, end);
      text = text.slice(end);
      if (lines !== "") await pipe.write(lines);
    },
    close: () => pipe.close(),
  });
}

/** A pipe that is there later. */
export class LatePipe implements Pipe {
  readonly #opening: Promise<Pipe>;
  #pipe: Pipe | undefined;
  #isPaused = false;
  #isCancelled = false;
  #fail: Parameters<NonNullable<Pipe["onLost"]>>[0] | undefined;
  #abort: AbortController;

  /** `open` has to fail when the signal fires. */
  constructor(open: (signal: AbortSignal) => Promise<Pipe>) {
    this.#abort = new AbortController();
    this.#opening = open(this.#abort.signal);
    // Whoever reads or writes is told.
    this.#opening.catch(() => undefined);
  }

  read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void {
    this.#opening.then((pipe) => {
      this.#pipe = pipe;
      if (this.#fail !== undefined) pipe.onLost?.(this.#fail);
      if (this.#isPaused) pipe.pause();
      pipe.read(take, end);
      if (this.#isCancelled) pipe.cancel();
    }, end);
  }

  pause(): void {
    this.#isPaused = true;
    this.#pipe?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#pipe?.resume();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#abort.abort();
    this.#pipe?.cancel();
  }

  async write(text: string): Promise<void> {
    const pipe = await this.#opening;
    await pipe.write(text);
  }

  async close(): Promise<void> {
    const pipe = await this.#opening;
    await pipe.close();
  }

  onLost(fail: Parameters<NonNullable<Pipe["onLost"]>>[0]): void {
    this.#fail = fail;
  }
}
