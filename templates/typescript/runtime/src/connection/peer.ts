// What is sent to the peer.

import { stringifyJson } from "../parsing.js";
import type { Batch } from "./batch.js";
import { ConnectionError, wordsOf } from "./connection-error.js";
import { decodeResult, forgiving } from "./decoding.js";
import { type Link, malformed } from "./link.js";
import { type Method, raw, type RequestMethod } from "./method.js";
import type { CallOptions } from "./options.js";

/** A way to the other end of a connection. */
export interface Route {
  readonly link: Link;
  /** The notification from whose handler it is used. */
  readonly origin?: number | undefined;
  /** Where messages wait until they are sent together. */
  readonly batch?: Batch;
}

/** The other end of a connection. */
export class Peer {
  readonly #route: Route;

  /** @internal */
  constructor(route: Route) {
    this.#route = route;
  }

  /** Calls a method by its name on the wire. Nothing is checked. */
  request(
    method: string,
    params?: unknown,
    options?: CallOptions,
  ): Promise<unknown> {
    const called = { name: method, handler: "", params: raw, result: raw };
    return call(this, called, params, options);
  }

  /** Sends a notification by its name on the wire. Nothing is checked. */
  notify(method: string, params?: unknown): Promise<void> {
    return notify(this, { name: method, handler: "", params: raw }, params);
  }

  /** @internal */
  static route(peer: Peer): Route {
    return peer.#route;
  }
}

/** A way to the other end that no batch is on. */
export function unbatched(peer: Peer): Route {
  const { link, origin } = Peer.route(peer);
  return { link, origin };
}

/** Calls a method. */
export function call<P, R>(
  peer: Peer,
  method: RequestMethod<P, R>,
  params: P,
  options: CallOptions | undefined,
): Promise<R> {
  const { link, origin, batch } = Peer.route(peer);
  const signal = options?.signal;
  return new Promise<R>((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const text = encodeCall(link, method, params, batch !== undefined);
    let id: number | undefined;
    const abort = (): void => {
      if (id !== undefined && options?.wait === true) {
        link.cancel(id, batch);
        return;
      }
      if (id !== undefined) link.abandon(id, batch);
      id = -1;
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const done = onAbort(signal, abort);
    const failed = (error: Error): void => {
      done();
      reject(error);
    };
    const line = (): string | undefined => {
      // It was aborted while it waited for space.
      if (id !== undefined) return undefined;
      id = link.open(method.name, origin, batch, {
        resolve: (result) => {
          done();
          decodeAnswer(link, method, result, resolve, reject);
        },
        reject: failed,
      });
      const line = `{"jsonrpc":"2.0","id":${String(id)},${text}}`;
      const excess = link.excess(line);
      if (excess === undefined) return line;
      link.calls.fail([id], excess);
      id = -1;
      return undefined;
    };
    const sent = (): void => {
      if (id !== -1) link.onSent?.(method.name, params);
    };
    if (batch !== undefined) {
      const entry = line();
      if (entry !== undefined) batch.entries.push(entry);
      batch.sent.then(sent, ignore);
    } else if (link.outbox.hasSpace()) {
      link.sendNow(line, true);
      sent();
    } else {
      link.send(line, true).then(sent, failed);
    }
  });
}

/** Sends a notification. */
export function notify<P>(
  peer: Peer,
  method: Method<P>,
  params: P,
): Promise<void> {
  const sent = trySend(peer, method, params);
  // Who does not wait for it does not care whether it was sent.
  sent.catch(() => undefined);
  return sent;
}

function trySend<P>(peer: Peer, method: Method<P>, params: P): Promise<void> {
  const { link, batch } = Peer.route(peer);
  try {
    const text = encodeCall(link, method, params, batch !== undefined);
    const line = `{"jsonrpc":"2.0",${text}}`;
    const excess = link.excess(line);
    if (excess !== undefined) throw excess;
    const sent = (): void => {
      link.onSent?.(method.name, params);
    };
    if (batch !== undefined) {
      batch.entries.push(line);
      return batch.sent.then(sent);
    }
    if (!link.outbox.hasSpace()) return link.send(() => line).then(sent);
    link.sendNow(() => line);
    sent();
    return Promise.resolve();
  } catch (error) {
    const failure = error as Error;
    return Promise.reject(failure);
  }
}

/**
 * Sends everything that `fill` calls and notifies as one message, after it
 * returned; gives what it returned.
 */
export function sendBatch<T>(peer: Peer, fill: (route: Route) => T): T {
  const route = Peer.route(peer);
  const { link } = route;
  let send: (() => void) | undefined;
  const filling = new Promise<void>((resolve) => {
    send = resolve;
  });
  const sent = filling.then(() => link.sendAll(batch));
  sent.catch(() => undefined);
  const batch: Batch = { entries: [], sent };
  const filled = fill({ ...route, batch });
  send?.();
  return filled;
}

/** The members of a message that say what is called. */
function encodeCall<P>(
  link: Link,
  method: Method<P>,
  params: P,
  isBatch: boolean,
): string {
  const refusal = link.refusal(method, isBatch);
  if (refusal !== undefined) throw refusal;
  const head = `"method":${JSON.stringify(method.name)}`;
  try {
    const encoded = method.params.encode(params);
    link.check(method, "params", encoded);
    const text = stringifyJson(encoded);
    return text === undefined ? head : `${head},"params":${text}`;
  } catch (cause) {
    if (cause instanceof ConnectionError) throw cause;
    const message = `the params of ${method.name} cannot be written: ${wordsOf(cause)}`;
    throw new ConnectionError("params", message, { cause });
  }
}

function decodeAnswer<P, R>(
  link: Link,
  method: RequestMethod<P, R>,
  result: unknown,
  resolve: (result: R) => void,
  reject: (error: Error) => void,
): void {
  let decoded: R;
  try {
    const options = forgiving(link, method.name, "result");
    decoded = decodeResult(method.result, result, options);
  } catch (error) {
    reject(malformed(error));
    return;
  }
  resolve(decoded);
}

/** What happens when signals fire. */
const ABORTS: WeakMap<AbortSignal, Set<() => void>> = new WeakMap();

/**
 * Does something when a signal fires, unless what is given is called before. A
 * signal gets one listener, however many calls have it: Node takes more than ten
 * for a leak.
 */
function onAbort(
  signal: AbortSignal | undefined,
  abort: () => void,
): () => void {
  if (signal === undefined) return ignore;
  const known = ABORTS.get(signal);
  const actions = known ?? new Set();
  if (known === undefined) {
    ABORTS.set(signal, actions);
    const fire = (): void => {
      for (const action of actions) action();
    };
    signal.addEventListener("abort", fire, { once: true });
  }
  actions.add(abort);
  return () => actions.delete(abort);
}

function ignore(): void {
  // Whoever waits for the call is told.
}

/** Why a call was abandoned. */
function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}
