// Connections over what only Node (and what is like it) has: standard
// streams, and processes.

import {
  type ChildProcess,
  spawn as start,
  type SpawnOptions,
} from "node:child_process";
import type { Readable, Writable } from "node:stream";

import type { Pipe, Stream } from "./connection.js";

/** A connection over this process's standard input and output. */
export function stdio(): Stream {
  const { stdin, stdout } = process;
  return new NodeStream(stdin, stdout);
}

/** A process whose standard input and output are a connection. */
export interface ProcessStream extends Stream {
  readonly process: ChildProcess;
  /** Kills the process. */
  readonly dispose: () => void;
}

/**
 * Starts a process, and connects over its standard input and output. It is
 * killed when the connection has ended.
 *
 * What it writes to standard error goes to this process's, unless `options`
 * say otherwise.
 */
export function spawn(
  command: string,
  parameters: readonly string[] = [],
  options: Omit<SpawnOptions, "stdio"> = {},
): ProcessStream {
  const stdio = ["pipe", "pipe", "inherit"] as const;
  const child = start(command, parameters, { ...options, stdio: [...stdio] });
  const { stdin, stdout } = child;
  // One that cannot be started ends its streams, too.
  child.on("error", (error) => stdout.destroy(error));
  const dispose = (): void => {
    child.kill();
  };
  return Object.assign(new NodeStream(stdout, stdin), {
    process: child,
    dispose,
  });
}

/** Streams of Node, as all platforms have them or, shorter, as they are. */
class NodeStream implements Stream {
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
}

class NodePipe implements Pipe {
  readonly #input: Readable;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    // Each write says itself whether it failed.
    output.on("error", () => undefined);
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
    return new Promise((resolve) => {
      this.#output.end(resolve);
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
