// The body of a request or of an answer.

import { later } from "./timer.js";

/** A body that is longer than it may be. */
export const TOO_LONG: unique symbol = Symbol("a body over the limit");

/** A body of which nothing more comes. */
export const STOPPED: unique symbol = Symbol("a body that has stopped");

/**
 * Reads a body of at most so many bytes, each piece of which has so many
 * milliseconds to come.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null | undefined,
  limit: number,
  time: number = Infinity,
): Promise<Uint8Array | typeof TOO_LONG | typeof STOPPED> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  const state = { isStopped: false };
  const halt = (): void => {
    state.isStopped = true;
    reader?.cancel().catch(() => undefined);
  };
  while (reader !== undefined) {
    const stop = later(time, halt);
    const { value } = await reader.read().finally(stop);
    if (state.isStopped) return STOPPED;
    if (value === undefined) break;
    length += value.length;
    if (length > limit) {
      reader.cancel().catch(() => undefined);
      return TOO_LONG;
    }
    chunks.push(value);
  }
  return together(chunks, length);
}

/** The beginning of a body: at most so many bytes, or what comes of them in so many milliseconds. */
export async function readStart(
  body: ReadableStream<Uint8Array> | null | undefined,
  length: number,
  time: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  const stop = later(time, cancel);
  let rest = length;
  try {
    while (rest > 0) {
      const { value } = await reader.read();
      if (value === undefined) break;
      chunks.push(value.subarray(0, rest));
      rest -= value.length;
    }
  } catch {
    // It breaks off here.
  }
  stop();
  if (rest <= 0) cancel();
  return together(chunks, length - Math.max(rest, 0));
}

/** Pieces of bytes as one. */
export function together(
  pieces: readonly Uint8Array[],
  length: number,
): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
