// What the parts of a connection share.

import { DecodeError } from "../codec.js";
import { RequestError } from "../errors.js";
import type { Batch, Collector } from "./batch.js";
import { Calls, type Pending } from "./calls.js";
import type { Cancels } from "./cancels.js";
import { Capabilities, checkAdvertised, notAllowed } from "./capabilities.js";
import { ConnectionError } from "./connection-error.js";
import { within } from "./decoding.js";
import { isObject, own } from "./json.js";
import type { Method } from "./method.js";
import { answerTo, disagreement, judge, type Version } from "./negotiation.js";
import type { Rules, Settings } from "./options.js";
import type { Outbox } from "./outbox.js";
import { answer, failure, type Running } from "./running.js";

/** The middle of a connection: handlers and callers meet here. */
export class Link {
  readonly calls: Calls = new Calls();
  /** The requests that are being handled. */
  readonly running: Set<Running> = new Set();
  /** How many notifications were given to handlers. */
  notifications = 0;
  /** The notification whose handler is being called right now. */
  calling: number | undefined;
  readonly outbox: Outbox;
  readonly settings: Settings;
  readonly #rules: Rules;
  readonly #controller: AbortController = new AbortController();
  readonly #changed: () => void;
  readonly #stop: (error: unknown) => void;
  /** The version that is spoken; the highest until one was agreed on. */
  version: Version | undefined;
  readonly capabilities: Capabilities;
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
    rules: Rules,
    settings: Settings,
    outbox: Outbox,
    changed: () => void,
    stop: (error: unknown) => void,
  ) {
    this.#rules = rules;
    this.settings = settings;
    this.outbox = outbox;
    this.#changed = changed;
    this.#stop = stop;
    this.capabilities = new Capabilities(rules.handshake);
    this.version = rules.negotiation?.versions.at(-1);
  }

  /** Fires when nothing more comes in. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The notification that cancels a request, and the property with its id. */
  get cancellation(): Rules["cancel"] {
    return this.#rules.cancel;
  }

  /** What messages of a method cancel beside. */
  cancels(method: string): readonly Cancels[] {
    const found = own(this.#rules.cancels, method);
    return (found as readonly Cancels[] | undefined) ?? [];
  }

  /** Why a call fails before anything is sent, if it does. */
  refusal(method: Method<unknown>, isBatch: boolean): Error | undefined {
    const { name, capability, lifecycle } = method;
    if (isBatch && lifecycle === true) {
      const message = `${name} must not be part of a batch`;
      return new ConnectionError("not-in-batch", message);
    }
    if (this.isClosed) return this.closedError();
    const isAllowed =
      capability === undefined || this.capabilities.allows(capability);
    return isAllowed ? undefined : notAllowed(name, capability);
  }

  /** The connection is closed: why, if a call failed so that it had to be. */
  closedError(): ConnectionError {
    const cause: unknown = this.signal.reason;
    const isOurs = cause instanceof ConnectionError;
    const { kind, message } = isOurs ? cause : CLOSED;
    return new ConnectionError(kind, message, { cause });
  }

  /** Sends a line once there is space for it, if it is still wanted then. */
  async send(line: () => string | undefined): Promise<void> {
    while (!this.outbox.hasSpace()) await this.outbox.space();
    this.sendNow(line);
  }

  /** Sends a line. */
  sendNow(line: () => string | undefined): void {
    // Whoever sends on and on has to learn that nobody takes it.
    if (this.isClosed || this.outbox.isClosed) throw this.closedError();
    const text = line();
    if (text === undefined) return;
    this.settings.observe?.({ type: "sent", line: text });
    this.outbox.push(text);
  }

  /** Registers a call, and gives its id. */
  open(method: string, origin: number | undefined, waiter: Waiter): number {
    if (this.signal.aborted) throw this.closedError();
    // Whoever is being handled may wait for it from now on.
    void Promise.resolve().then(this.#changed);
    return this.calls.open({
      settle: (result, error) => {
        settle(waiter, result, error);
      },
      fail: waiter.reject,
      origin: origin ?? this.calling,
      after: this.notifications,
      method,
    });
  }

  /** Gives up a call. The peer is told, if it might still be working on it. */
  abandon(id: number, batch: Batch | undefined): void {
    const wasOpen = this.calls.forget(id);
    const cancel = this.#rules.cancel;
    if (!wasOpen || cancel === undefined || this.signal.aborted) return;
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
    const failure = isGood ? this.#note(call.method, result) : undefined;
    if (failure === undefined) call.settle(result, error);
    else this.#fail(call, failure);
  }

  /** Takes note of what an answer says about the peer. */
  #note(
    method: string,
    result: Readonly<Record<string, unknown>>,
  ): ConnectionError | undefined {
    this.capabilities.learn(method, "result", result);
    const { negotiation } = this.#rules;
    if (negotiation?.method !== method) return undefined;
    const version = own(result, negotiation.result);
    const judged = judge(negotiation, version);
    if (judged === "spoken") this.version = version as Version;
    if (judged !== "unknown") return undefined;
    return new ConnectionError("version", disagreement(negotiation, version));
  }

  /** Ends the connection at once: whatever waits fails for the same reason. */
  #fail(call: Pending, error: ConnectionError): void {
    this.isClosed = true;
    this.outbox.drop();
    this.end(error, new Set());
    call.fail(error);
    this.#stop(error);
  }

  /** Agrees on the version that a request asks for, if that is what it does. */
  negotiate(method: string, params: unknown): void {
    const { negotiation } = this.#rules;
    if (negotiation?.method !== method || !isObject(params)) return;
    this.version = answerTo(negotiation, own(params, negotiation.params));
  }

  /** A result with the version that was agreed on, whatever it says. */
  negotiated(method: string, result: unknown): unknown {
    const { negotiation } = this.#rules;
    if (negotiation?.method !== method || !isObject(result)) return result;
    return { ...result, [negotiation.result]: this.version };
  }

  /** Throws if what goes out is not what this end and the peer can do. */
  check(
    { name, gates }: Method<unknown>,
    position: "params" | "result",
    payload: unknown,
  ): void {
    const gated = gates?.[position];
    if (gated) this.capabilities.check(position, payload, gated);
    const { advertises } = this.#rules;
    if (advertises?.method !== name || advertises.in !== position) return;
    checkAdvertised(advertises, payload, this.handles);
  }

  /** Answers a request, once. */
  respond(running: Running, member: string): void {
    if (!this.running.delete(running)) return;
    this.#write(running.id, member, running.batch);
    this.#changed();
  }

  /** Answers what is no request. */
  refuse(id: string, error: RequestError, batch?: Collector): void {
    this.#write(id, failure(error), batch);
  }

  #write(id: string, member: string, batch: Collector | undefined): void {
    if (this.outbox.isClosed) return;
    const text = answer(id, member);
    const line = batch === undefined ? text : batch.add(text);
    if (line === undefined) return;
    this.settings.observe?.({ type: "sent", line });
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

function settle(waiter: Waiter, result: unknown, error: unknown): void {
  if (error === undefined) {
    waiter.resolve(result);
  } else if (result !== undefined) {
    waiter.reject(malformed("both a result and an error"));
  } else {
    waiter.reject(answered(error));
  }
}

/** The error that the peer answered with. */
function answered(error: unknown): Error {
  // Or why there is no answer.
  if (error instanceof ConnectionError) return error;
  if (!isObject(error)) return malformed("error: expected an object");
  const code = own(error, "code");
  const message = own(error, "message");
  if (typeof code !== "number" || (code | 0) !== code) {
    return malformed("error.code: expected an integer of 32 bits");
  }
  if (typeof message !== "string") {
    return malformed("error.message: expected a string");
  }
  return new RequestError(code, message, own(error, "data"));
}

/** A response that is none. */
export function malformed(what: unknown): ConnectionError {
  const found =
    what instanceof DecodeError
      ? `${within("result", what)}: expected ${what.expected}, found ${what.found}`
      : String(what);
  return new ConnectionError("malformed", `malformed response: ${found}`, {
    cause: what,
  });
}
