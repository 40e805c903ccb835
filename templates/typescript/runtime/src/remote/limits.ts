// How much a server holds, and how long it waits.

/** How much a server holds, and how long it waits. Times are milliseconds. */
export interface RemoteLimits {
  /**
   * Connections at a time.
   *
   * @default 1000
   */
  readonly connections: number;
  /**
   * Sessions of a connection. Over HTTP alone, where each has a stream.
   *
   * @default 1000
   */
  readonly sessions: number;
  /**
   * Bytes that wait in one direction: on a stream for its reader, or for the
   * connection to take them. A message counts 128 more than it has.
   *
   * @default 4 MiB
   */
  readonly buffered: number;
  /**
   * The longest message, in bytes.
   *
   * @default 64 MiB
   */
  readonly body: number;
  /**
   * Headers of a request.
   *
   * @default 100
   */
  readonly headers: number;
  /**
   * How long nothing may come of a request that has begun: of its head, and
   * between two pieces of its body.
   *
   * @default 30 seconds
   */
  readonly reading: number;
  /**
   * After this time without a message and without a stream that is read, a
   * connection is closed.
   *
   * @default 5 minutes
   */
  readonly idle: number;
  /**
   * How long the reader of a session's stream may come before the session; at a
   * client, how long the answer that opens one may come before events that it
   * is to come after.
   *
   * @default 10 seconds
   */
  readonly sessionWait: number;
  /**
   * How often a comment is sent on a stream without events.
   *
   * @default 15 seconds
   */
  readonly keepAlive: number;
  /**
   * How often a WebSocket is asked for a sign of life.
   *
   * @default 20 seconds
   */
  readonly ping: number;
  /**
   * How long opening a connection may take, and at a client, opening a stream.
   *
   * @default 30 seconds
   */
  readonly opening: number;
}

/**
 * How many bytes a message that waits counts beside its own: what it takes to
 * hold it.
 */
export const COST = 128;

const MIB = 1024 * 1024;

/** The limits that are chosen, and the defaults of the others. */
export function limits(chosen: Partial<RemoteLimits> = {}): RemoteLimits {
  return {
    connections: chosen.connections ?? 1000,
    sessions: chosen.sessions ?? 1000,
    buffered: chosen.buffered ?? 4 * MIB,
    body: chosen.body ?? 64 * MIB,
    headers: chosen.headers ?? 100,
    reading: chosen.reading ?? 30_000,
    idle: chosen.idle ?? 300_000,
    sessionWait: chosen.sessionWait ?? 10_000,
    keepAlive: chosen.keepAlive ?? 15_000,
    ping: chosen.ping ?? 20_000,
    opening: chosen.opening ?? 30_000,
  };
}

/** Says that a limit was passed. */
export function passed(limit: keyof RemoteLimits, what: string): string {
  return `${what} (limit \`${limit}\`)`;
}
