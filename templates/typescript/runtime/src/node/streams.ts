// Streams of Node.

import type { Readable, Writable } from "node:stream";
import { inspect } from "node:util";

import type { ConnectionOptions, Log, Pipe, Stream } from "../connection.js";
import { nodeLog } from "./log.js";

/**
 * A connection over this process's standard input and output. Handlers that fail
 * are told on standard error.
 */
export function stdio(): Stream {
  const { stdin, stdout } = process;
  return Object.assign(new NodeStream(stdin, stdout), { tell });
}

/** Tells on standard error that a handler failed, and why, with the stack. */
function tell(what: string, error: unknown): void {
  let why: string;
  try {
    why = `${String(error)}\n${inspect(error)}`;
  } catch {
    // It cannot be asked.
    why = typeof error;
  }
  console.error(`${what}: ${why}`);
}

/** Streams of Node, as all platforms have them or, shorter, as they are. */
export class NodeStream implements Stream {
  readonly #input: Readable;
  readonly #output: Writable;
  #readable: ReadableStream<Uint8Array> | undefined;
  #writable: WritableStream<Uint8Array> | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  get readable(): ReadableStream<Uint8Array> {
    return (this.#readable ??= readable(this.#input));
  }

  get writable(): WritableStream<Uint8Array> {
    return (this.#writable ??= writable(this.#output));
  }

  get pipe(): Pipe {
    return new NodePipe(this.#input, this.#output);
  }

  chosenLog(
    log: ConnectionOptions["log"],
    variable: string,
  ): Log | boolean | undefined {
    return nodeLog(log, variable);
  }
}

/** Streams of Node as they are. */
export class NodePipe implements Pipe {
  readonly #input: Readable;
  readonly #output: Writable;
  #hasFailed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    // Each write says itself whether it failed.
    output.on("error", () => {
      this.#hasFailed = true;
    });
  }

  read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void {
    const input = this.#input;
    input.on("error", end);
    input.on("end", () => {
      end();
    });
    input.on("close", () => {
      end();
    });
    input.on("data", take);
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    this.#input.resume();
  }

  cancel(): void {
    this.#input.destroy();
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  close(): Promise<void> {
    const output = this.#output;
    return new Promise((resolve) => {
      // One that was destroyed or has failed before never ends.
      output.once("close", resolve);
      if (output.destroyed || this.#hasFailed) resolve();
      else output.end(resolve);
    });
  }
}

/** Bytes from a stream of Node, once they are asked for. */
export function readable(input: Readable): ReadableStream<Uint8Array> {
  let isRead = false;
  const read = (
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): void => {
    isRead = true;
    const close = once(() => {
      controller.close();
    });
    input.on("data", (bytes: Uint8Array) => {
      controller.enqueue(bytes);
      if ((controller.desiredSize ?? 0) <= 0) input.pause();
    });
    input.on("error", (error) => {
      controller.error(error);
    });
    input.on("end", close);
    input.on("close", close);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isRead) input.resume();
        else read(controller);
      },
      cancel() {
        input.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Bytes to a stream of Node. */
export function writable(output: Writable): WritableStream<Uint8Array> {
  // Each write says itself whether it failed.
  output.on("error", () => undefined);
  return new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        output.write(bytes, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () =>
      new Promise((resolve) => {
        output.end(resolve);
      }),
  });
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    try {
      action();
    } catch {
      // It has failed before.
    }
  };
}
