// Connects again after a loss.

import { ConnectionError } from "../connection.js";
import type { RemoteState, RemoteStream } from "./client.js";
import { RefusedError } from "./refused.js";

/** Choices about connecting again. */
export interface ReconnectOptions {
  /**
   * How often it is tried in a row, without success, before it is given up.
   *
   * @default 10
   */
  readonly tries?: number;
  /**
   * How long is waited before the first try, in milliseconds; twice as long
   * before each one after that.
   *
   * @default 500
   */
  readonly delay?: number;
  /**
   * How long is waited at most.
   *
   * @default 30 seconds
   */
  readonly maxDelay?: number;
  /** Ends it: the connection is closed. */
  readonly signal?: AbortSignal;
}

/** The statuses of servers that may be there again soon. */
const PASSING = [429, 502, 503, 504];

/** A connection of a side. */
interface Connected {
  readonly signal: AbortSignal;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** What connects. */
interface Connects {
  connect(): RemoteStream;
}

/**
 * Keeps a connection: connects, calls `setUp`, and does both again whenever the
 * connection is lost, or the server refuses it for now. Resolves once it was
 * closed; rejects when `setUp` fails for another reason, or when there were too
 * many tries.
 *
 * `setUp` is told what the connection before had: the sessions that were open,
 * which it may load again, and the methods of the calls that were lost. Nothing
 * is sent twice. Whether the server has handled what was lost, nobody knows;
 * what it said meanwhile is there only if loading a session tells it again.
 */
export async function reconnecting<C extends Connected>(
  client: Connects,
  make: (stream: RemoteStream) => C,
  setUp: (connection: C, before: RemoteState) => unknown,
  options: ReconnectOptions = {},
): Promise<void> {
  const { tries = 10, delay = 500, maxDelay = 30_000, signal } = options;
  let before: RemoteState = { sessions: [], lost: [] };
  let failed = 0;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const stream = client.connect();
    const connection = make(stream);
    const close = (): void => void connection.close();
    signal?.addEventListener("abort", close);
    let failure: unknown;
    try {
      await setUp(connection, before);
      failed = 0;
      // What is to be done after the next loss.
      before = { sessions: [], lost: [] };
    } catch (error) {
      failure = error;
      if (!isLoss(connection)) await connection.close();
    }
    await connection.closed;
    signal?.removeEventListener("abort", close);
    if (!isPassing(connection)) {
      if (failure === undefined || isOver()) return;
      throw failure as Error;
    }
    before = both(before, stream.state);
    failed += 1;
    if (failed > tries) throw connection.signal.reason as Error;
    const wait = Math.min(delay * 2 ** (failed - 1), maxDelay);
    await sleep(wait * (0.5 + Math.random() / 2), signal);
  }
}

/** Whether a connection ended because it was lost. */
function isLoss({ signal }: Connected): boolean {
  const reason: unknown = signal.reason;
  return reason instanceof ConnectionError && reason.kind === "lost";
}

/** Whether the next try may be another. */
function isPassing(connection: Connected): boolean {
  const reason: unknown = connection.signal.reason;
  const status = reason instanceof RefusedError ? reason.status : 0;
  return isLoss(connection) || PASSING.includes(status);
}

/** What was open and lost, also in tries that came to nothing. */
function both(a: RemoteState, b: RemoteState): RemoteState {
  return {
    sessions: [...new Set([...a.sessions, ...b.sessions])],
    lost: [...a.lost, ...b.lost],
  };
}

function sleep(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
