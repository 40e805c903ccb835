// What a connection is made over.

import type { ConnectionOptions, Log } from "./options.js";
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
   * Called before that: the connection waits for it. It is given when everything
   * was written.
   *
   * @internal
   */
  readonly finish?: (written: Promise<void>) => Promise<void>;
  /**
   * A shorter way for the same bytes, where there is one.
   *
   * @internal
   */
  readonly pipe?: Pipe;
  /**
   * That the other end is a process which this one has started.
   *
   * @internal
   */
  readonly isStarted?: boolean;
  /**
   * The log that was chosen, or else that of the environment, where files have
   * to be imported.
   *
   * @internal
   */
  chosenLog?(
    log: ConnectionOptions["log"],
    variable: string,
  ): Log | boolean | undefined;
  /**
   * Tells whoever runs the program that a handler failed.
   *
   * @internal
   */
  tell?(what: string, error: unknown): void;
}

/** A message of JSON-RPC, parsed. */
export type AnyMessage =
  | {
      readonly jsonrpc: "2.0";
      readonly id: string | number | null;
      readonly method: string;
      readonly params?: unknown;
    }
  | {
      readonly jsonrpc: "2.0";
      readonly method: string;
      readonly params?: unknown;
    }
  | {
      readonly jsonrpc: "2.0";
      readonly id: string | number | null;
      readonly result: unknown;
    }
  | {
      readonly jsonrpc: "2.0";
      readonly id: string | number | null;
      readonly error: {
        readonly code: number;
        readonly message: string;
        readonly data?: unknown;
      };
    };

/** A pair of streams of messages. A list of them is a batch. */
export interface MessageStream {
  /** Where what this side says goes. */
  readonly writable: WritableStream<AnyMessage | readonly AnyMessage[]>;
  /** Where what the other end says comes from. */
  readonly readable: ReadableStream<AnyMessage | readonly AnyMessage[]>;
  /** Called once the connection has ended. */
  readonly dispose?: () => void;
  /** That these are no bytes. */
  readonly isParsed: true;
}

/** A connection over any two streams of bytes: one JSON message a line. */
export function ndJsonStream(
  output: WritableStream<Uint8Array>,
  input: ReadableStream<Uint8Array>,
): Stream {
  return { writable: output, readable: input };
}

/** A connection over any two streams of parsed messages. */
export function messageStream(
  output: MessageStream["writable"],
  input: MessageStream["readable"],
): MessageStream {
  return { writable: output, readable: input, isParsed: true };
}

/**
 * Two ends of one connection within a program, for a connection each, as in
 * tests. A slow reader slows the other end.
 */
export function streamPair(): [Stream, Stream] {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  return [
    ndJsonStream(there.writable, back.readable),
    ndJsonStream(back.writable, there.readable),
  ];
}
