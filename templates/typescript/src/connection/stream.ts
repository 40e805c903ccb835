// What a connection is made over.

import type { Pipe } from "./pipe.js";

/** A pair of byte streams. */
export interface Stream {
  /** Where what this side says goes. */
  readonly writable: WritableStream<Uint8Array>;
  /** Where what the other end says comes from. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Called once the connection has ended. */
  readonly dispose?: () => void;
  /**
   * A shorter way for the same bytes, where there is one.
   *
   * @internal
   */
  readonly pipe?: Pipe;
}

/** A connection over any two streams of bytes: one JSON message a line. */
export function ndJsonStream(
  output: WritableStream<Uint8Array>,
  input: ReadableStream<Uint8Array>,
): Stream {
  return { writable: output, readable: input };
}
