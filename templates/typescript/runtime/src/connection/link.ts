// What the parts of a connection share.

import { DecodeError, type DecodeOptions } from "../codec.js";
import { Agreement } from "./agreement.js";
import type { Batch, Collector } from "./batch.js";
import { Calls, type Pending } from "./calls.js";
import { Turns } from "./cancels.js";
import { ConnectionError } from "./connection-error.js";
import { forgiving, within } from "./decoding.js";
import { isObject, own } from "./json.js";
import { type Method, raw, type Side } from "./method.js";
import type { Settings } from "./options.js";
import type { Outbox } from "./outbox.js";
import type { RequestError } from "./request-error.js";
import { Requests } from "./requests.js";
import type { Rules } from "./rules.js";
import { answer, failure, INTERNAL_ERROR, type Running } from "./running.js";
import { byteLength } from "./scan.js";
import type { Watch } from "./watch.js";

/** The middle of a connection: handlers and callers meet here. */
export class Link {
  readonly calls: Calls = new Calls();
  /** The requests that have no answer yet, also those not yet begun with. */
  readonly requests: Requests = new Requests();
  /** Those that are being handled. */
  readonly running: Set<Running> = new Set();
  /** How many notifications were given to handlers. */
  notifications = 0;
  /** The notification whose handler is being called right now. */
  calling: number | undefined;
  readonly outbox: Outbox;
  readonly settings: Settings;
  readonly watch: Watch;
  readonly #rules: Rules;
  readonly #requestError: typeof RequestError;
  /** What both ends agree on. */
  readonly agreement: Agreement;
  /** What cancels requests beside. */
  readonly turns: Turns;
  readonly #controller: AbortController = new AbortController();
  readonly #changed: () => void;
  readonly #stop: (error: unknown) => void;
  /** Whether this end handles a method. */
  handles: (method: string) => boolean = () => true;
  /** Whether nothing more goes out. */
  isClosed = false;
  /** Takes notifications that belong to a call, before handlers get them. */
  intercept: ((method: string, params: unknown) => boolean) | undefined;
  /** Is told of each message once it was sent. */
  onSent: ((method: string, params: unknown) => void) | undefined;

  /**
   * `changed` is called when something happened that others may wait for,
   * `stop` when the connection has to end.
   */
  constructor(
    { rules, requestError }: Pick<Side, "rules" | "requestError">,
    settings: Settings,
    watch: Watch,
    outbox: Outbox,
    changed: () => void,
    stop: (error: unknown) => void,
  ) {
    this.#rules = rules;
    this.#requestError = requestError;
    this.agreement = new Agreement(rules);
    this.turns = new Turns(rules.cancels ?? []);
    this.settings = settings;
    this.watch = watch;
    this.outbox = outbox;
    this.#changed = changed;
    this.#stop = stop;
  }

  /** Fires when nothing more comes in. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The notification that cancels a request, and the property with its id. */
  get cancellation(): Rules["cancel"] {
    return this.#rules.cancel;
  }

  /** Why a call fails before anything is sent, if it does. */
  refusal(method: Method<unknown>, isBatch: boolean): Error | undefined {
    const { name } = method;
    const rule = this.agreement.rule(method);
    if (isBatch && (rule?.lifecycle === true || !this.settings.batches)) {
      const message = `${name} cannot be part of a batch`;
      return new ConnectionError("not-in-batch", message);
    }
    if (this.isClosed) return this.closedError();
    return this.agreement.refusal(name, rule);
  }

  /** The connection is closed: why, where something failed. */
  closedError(): ConnectionError {
    const cause: unknown = this.signal.reason;
    if (cause instanceof ConnectionError) {
      return new ConnectionError(cause.kind, cause.message, { cause });
    }
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    const message = `${CLOSED.message}${reason}`;
    return new ConnectionError(CLOSED.kind, message, { cause });
  }

  /**
   * Sends a line once there is space for it, if it is still wanted then. A call
   * does not wait longer than an answer can come.
   */
  async send(line: () => string | undefined, isCall = false): Promise<void> {
    while (!this.outbox.hasSpace() && !(isCall && this.signal.aborted)) {
      await this.outbox.space();
    }
    this.sendNow(line, isCall);
  }

  /** Sends a line. */
  sendNow(line: () => string | undefined, isCall = false): void {
    const { isClosed } = this.outbox;
    // The connection is about to end, and to say why to all calls. Whoever else
    // sends on and on has to learn that nobody takes it.
    if (this.isClosed || (isClosed && !isCall)) throw this.closedError();
    const text = line();
    if (text === undefined || isClosed) return;
    this.watch.sent(text);
    this.outbox.push(text);
  }

  /** Sends a batch once there is space for it. */
  async sendAll(batch: Batch): Promise<void> {
    if (batch.entries.length === 0) return;
    const line = `[${batch.entries.join()}]`;
    const excess = this.excess(line);
    if (excess !== undefined) {
      this.calls.fail(this.calls.of(batch), excess);
      throw excess;
    }
    await this.send(() => line);
  }

  /** Why a line must not be sent, if it is too long. */
  excess(line: string): ConnectionError | undefined {
    const { maxLine } = this.settings;
    if (line.length * 3 <= maxLine) return undefined;
    const length = byteLength(line);
    if (length <= maxLine) return undefined;
    const message = `a message of ${String(length)} bytes is over the limit of ${String(maxLine)}`;
    return new ConnectionError("too-long", message);
  }

  /** Registers a call, and gives its id. */
  open(
    method: string,
    origin: number | undefined,
    batch: Batch | undefined,
    waiter: Waiter,
  ): number {
    if (this.signal.aborted) throw this.closedError();
    // Whoever is being handled may wait for it from now on.
    void Promise.resolve().then(this.#changed);
    return this.calls.open({
      settle: (result, error) => {
        const options = (): DecodeOptions | undefined =>
          forgiving(this, method, "error.data");
        this.#settle(waiter, method, result, error, options);
      },
      fail: waiter.reject,
      origin: origin ?? this.calling,
      after: this.notifications,
      method,
      batch,
    });
  }

  /** Gives up a call. The peer is told, if it might still be working on it. */
  abandon(id: number, batch: Batch | undefined): void {
    if (this.calls.forget(id)) this.cancel(id, batch);
  }

  /** Tells the peer that the answer to a call is no longer wanted. */
  cancel(id: number, batch: Batch | undefined): void {
    const cancel = this.#rules.cancel;
    if (cancel === undefined || this.signal.aborted) return;
    const params = JSON.stringify({ [cancel.property]: id });
    const method = JSON.stringify(cancel.method);
    const line = `{"jsonrpc":"2.0","method":${method},"params":${params}}`;
    const now = (): void => {
      if (!this.isClosed) this.sendNow(() => line);
    };
    // Not before the call itself.
    if (batch === undefined) now();
    else batch.sent.then(now, () => undefined);
  }

  /** Settles the call that a response belongs to. */
  settle(id: unknown, call: Pending, result: unknown, error: unknown): void {
    this.calls.forget(id);
    const isGood = error === undefined && isObject(result);
    const failure = isGood
      ? this.agreement.answered(call.method, result)
      : undefined;
    if (failure === undefined) call.settle(result, error);
    else this.#fail(call, failure);
  }

  #settle(
    waiter: Waiter,
    method: string,
    result: unknown,
    error: unknown,
    options: () => DecodeOptions | undefined,
  ): void {
    if (error === undefined) {
      waiter.resolve(result);
    } else if (result !== undefined) {
      waiter.reject(malformed("both a result and an error"));
    } else {
      waiter.reject(answered(method, error, options(), this.#requestError));
    }
  }

  /** Ends the connection at once: whatever waits fails for the same reason. */
  #fail(call: Pending, error: ConnectionError): void {
    this.isClosed = true;
    this.outbox.drop();
    this.end(error, new Set());
    call.fail(error);
    this.#stop(error);
  }

  /** Throws if what goes out is not what this end and the peer can do. */
  check(
    method: Method<unknown>,
    position: "params" | "result",
    payload: unknown,
  ): void {
    this.agreement.check(method, position, payload, this.handles);
  }

  /** Answers a request, once. */
  respond(running: Running, member: string): void {
    if (!this.running.delete(running)) return;
    this.answer(running, member);
    this.#changed();
  }

  /** Answers a request that is not handled, or not any more. */
  answer(running: Running, member: string): void {
    this.requests.delete(running);
    this.#write(running.id, member, running.batch, running.method);
  }

  /** Answers what is no request. */
  refuse(id: string, error: RequestError, batch?: Collector): void {
    this.#write(id, failure(error), batch);
  }

  #write(
    id: string,
    member: string,
    batch: Collector | undefined,
    method = "",
  ): void {
    if (this.outbox.isClosed) return;
    const text = answer(id, member);
    const shorter = answer(id, INTERNAL_ERROR);
    let fitting = text;
    if (this.excess(text) !== undefined) {
      const limit = String(this.settings.maxLine);
      const message = `an answer over the limit of ${limit} bytes`;
      const error = new ConnectionError("too-long", message);
      this.watch.trouble({ type: "failed", method, error });
      fitting = shorter;
    }
    let line: string | undefined = fitting;
    if (batch !== undefined) {
      const isWhole = (all: string): boolean => this.excess(all) === undefined;
      line = batch.add(fitting, shorter, isWhole);
    }
    if (line === undefined) return;
    this.watch.sent(line);
    this.outbox.answer(line);
  }

  /**
   * Nothing more comes in: calls fail but for those whose answers are still
   * to be delivered, and handlers are cancelled.
   */
  end(error: unknown, answered: ReadonlySet<unknown>): void {
    if (this.signal.aborted) return;
    this.#controller.abort(
      error ?? new ConnectionError(CLOSED.kind, CLOSED.message),
    );
    this.calls.failAll(this.closedError(), answered);
    this.outbox.wake();
    for (const running of this.running) running.cancel();
  }
}

/** Why calls fail on a connection that was closed for no other reason. */
const CLOSED = { kind: "closed", message: "connection closed" } as const;

/** Who waits for the answer to a call. */
export interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The error that the peer answered a call with. */
function answered(
  method: string,
  error: unknown,
  options: DecodeOptions | undefined,
  Class: typeof RequestError,
): Error {
  // Or why there is no answer.
  if (error instanceof ConnectionError) return error;
  if (!isObject(error)) {
    return malformed(`error: expected an object, found ${kindOf(error)}`);
  }
  const code = own(error, "code");
  const message = own(error, "message");
  if (typeof code !== "number" || (code | 0) !== code) {
    return malformed(`error.code: ${wrongCode(code)}`);
  }
  if (typeof message !== "string") {
    return malformed(`error.message: ${mismatched("a string", message)}`);
  }
  try {
    const data = raw.decode(own(error, "data"), options);
    return new Class(code, message, data, method);
  } catch (failed) {
    return malformed(failed, "error.data");
  }
}

/** What is wrong with a code that is no integer of 32 bits. */
function wrongCode(code: unknown): string {
  if (typeof code !== "number" && typeof code !== "bigint") {
    return mismatched("an integer", code);
  }
  if (Number.isFinite(code) && !Number.isInteger(code)) {
    return "expected an integer, found a fraction";
  }
  return "expected a number from -2147483648 to 2147483647, found a number out of range";
}

function mismatched(expected: string, value: unknown): string {
  const wanted = value === undefined ? "a required property" : expected;
  return `expected ${wanted}, found ${kindOf(value)}`;
}

/** What to call a value: `a string`. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "bigint") return "a number";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A response that is none. */
export function malformed(what: unknown, place = "result"): ConnectionError {
  const found =
    what instanceof DecodeError
      ? `${within(place, what)}: expected ${what.expected}, found ${what.found}`
      : String(what);
  return new ConnectionError("malformed", `malformed response: ${found}`, {
    cause: what,
  });
}
