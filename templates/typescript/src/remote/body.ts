// The body of a request or of an answer.

/** A body that is longer than it may be. */
export const TOO_LONG: unique symbol = Symbol("a body over the limit");

/** Reads a body of at most so many bytes. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null | undefined,
  limit: number,
): Promise<Uint8Array | typeof TOO_LONG> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader !== undefined) {
    const { value } = await reader.read();
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
