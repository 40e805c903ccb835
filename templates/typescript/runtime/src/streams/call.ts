// Calls whose results come in pieces.

import * as rpc from "../connection.js";
import { join, type JoinError } from "./join.js";

/** Where the pieces of a result come from. */
export interface StreamRule {
  /** The notification that brings them. */
  readonly notification: string;
  readonly params: rpc.Coder<unknown>;
  /** Where in the params of the call the token goes. */
  readonly token: readonly string[];
  /** The property of the notification with the token. */
  readonly tokenIn: string;
  /** The property of the notification with the piece. */
  readonly delta: string;
  /** The property of the result that the pieces make up. */
  readonly result: string;
}

/** What came of a call whose result came in pieces. */
export interface Streamed<R> {
  /** The answer. It is what counts. */
  readonly result: R;
  /** What the pieces make up; `undefined` if there were none. */
  readonly joined: unknown;
  /** Whether there were pieces, and they make up something else. */
  readonly differs: boolean;
  /** Why a piece could not be joined, if one could not. */
  readonly error: JoinError | undefined;
}

/**
 * A call whose result comes in pieces: `for await` gives each as it comes, and
 * ends with the call. Pieces wait until they are asked for.
 */
export class StreamedCall<R, D> implements AsyncIterable<D> {
  /** What marks the pieces of this call. */
  readonly token: string;
  /** Resolves when the call is answered, and fails if it fails. */
  readonly finished: Promise<Streamed<R>>;
  readonly #pieces: D[] = [];
  #output: unknown;
  #error: JoinError | undefined;
  #isFinished = false;
  #wake: (() => void) | undefined;

  /** @internal */
  constructor(
    token: string,
    answer: Promise<R>,
    outputOf: (result: R) => unknown,
  ) {
    this.token = token;
    this.finished = answer.then((result) => {
      const joined = this.#output;
      const error = this.#error;
      const isWhole =
        joined === undefined || rpc.isSame(joined, outputOf(result));
      return {
        result,
        joined,
        differs: error !== undefined || !isWhole,
        error,
      };
    });
    const end = (): void => {
      this.#isFinished = true;
      this.#wake?.();
    };
    // Who does not wait for it learns of a failure from the pieces, if at all.
    this.finished.then(end, end);
  }

  /** The pieces so far, joined; `undefined` before the first. */
  get output(): unknown {
    return this.#output;
  }

  /** Gives each piece once, to whoever asks first. */
  async *[Symbol.asyncIterator](): AsyncGenerator<D, void, undefined> {
    for (;;) {
      while (this.#pieces.length > 0) {
        for (const piece of this.#pieces.splice(0)) yield piece;
      }
      if (this.#isFinished) {
        await this.finished;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** @internal */
  take(piece: D): void {
    this.#pieces.push(piece);
    if (this.#error === undefined) {
      try {
        this.#output = join(this.#output, piece);
      } catch (error) {
        this.#error = error as JoinError;
      }
    }
    this.#wake?.();
  }
}

/** The calls of a connection whose results come in pieces, by their tokens. */
class Streams {
  readonly #calls: Map<string, (piece: unknown) => void> = new Map();
  readonly #rules: Set<StreamRule> = new Set();
  #next = 0;

  /** A token that no call of this connection had. */
  allocate(): string {
    this.#next += 1;
    return `stream-${String(this.#next)}`;
  }

  add(
    rule: StreamRule,
    token: string,
    take: (piece: unknown) => void,
  ): () => void {
    this.#rules.add(rule);
    this.#calls.set(token, take);
    return () => {
      this.#calls.delete(token);
    };
  }

  /**
   * Takes a piece of one of the calls. Says whether it was one. Throws
   * {@link rpc.WrongParams} if it is one, and is not as it should be.
   */
  take(link: rpc.Link, method: string, params: unknown): boolean {
    for (const rule of this.#rules) {
      if (rule.notification !== method || !rpc.isObject(params)) continue;
      const token = rpc.own(params, rule.tokenIn);
      const take =
        typeof token === "string" ? this.#calls.get(token) : undefined;
      if (take === undefined) continue;
      const options = rpc.forgiving(link, method, "params");
      const decoded = rpc.decodeParams(rule.params, params, options);
      const piece = property(decoded, rule.delta);
      if (piece === undefined) return false;
      take(piece);
      return true;
    }
    return false;
  }
}

const streams: WeakMap<object, Streams> = /* @__PURE__ */ new WeakMap();

/** Calls a method whose result comes in pieces. */
export function call<P, R, D>(
  peer: rpc.Peer,
  method: rpc.RequestMethod<P, R>,
  rule: StreamRule,
  params: P,
  options: rpc.CallOptions | undefined,
): StreamedCall<R, D> {
  const { link } = rpc.Peer.route(peer);
  let known = streams.get(link);
  if (known === undefined) {
    const created = new Streams();
    streams.set(link, created);
    link.intercept = (name, given) => created.take(link, name, given);
    known = created;
  }
  const token = known.allocate();
  const receiver: { take?: (piece: unknown) => void } = {};
  const forget = known.add(rule, token, (piece) => receiver.take?.(piece));
  const marked = withToken(params, rule.token, token) as P;
  const answer = rpc.call(peer, method, marked, options).finally(forget);
  const streamed = new StreamedCall<R, D>(token, answer, (result) =>
    property(result, rule.result),
  );
  receiver.take = (piece) => {
    streamed.take(piece as D);
  };
  return streamed;
}

/** A copy with the token at its place. */
function withToken(
  value: unknown,
  path: readonly string[],
  token: string,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return token;
  const object = rpc.isObject(value) ? value : {};
  return { ...object, [name]: withToken(object[name], rest, token) };
}

function property(value: unknown, name: string): unknown {
  return rpc.isObject(value) ? value[name] : undefined;
}
