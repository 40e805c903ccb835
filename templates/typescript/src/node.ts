// Connections over what only Node (and what is like it) has: standard
// streams, and processes.

import {
  type ChildProcess,
  spawn as start,
  type SpawnOptions,
} from "node:child_process";
import type { Readable, Writable } from "node:stream";

import type { Stream } from "./connection/stream.js";

/** A connection over this process's standard input and output. */
export function stdio(): Stream {
  const { stdin, stdout } = process;
  return { readable: readable(stdin), writable: writable(stdout) };
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
  return {
    readable: readable(stdout),
    writable: writable(stdin),
    process: child,
    dispose: () => {
      child.kill();
    },
  };
}

/** Bytes from a stream of Node. */
export function readable(input: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      input.on("data", (bytes: Uint8Array) => {
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) input.pause();
      });
      input.on("error", (error) => {
        controller.error(error);
      });
      const close = once(() => {
        controller.close();
      });
      input.on("end", close);
      input.on("close", close);
    },
    pull() {
      input.resume();
    },
    cancel() {
      input.destroy();
    },
  });
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
