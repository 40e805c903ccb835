// The order in which messages are handled.

import type { Collector } from "./batch.js";
import type { Pending } from "./calls.js";
import type { Link } from "./link.js";
import { isIdText, type Message, spelling } from "./message.js";
import { idMark, Running } from "./running.js";
import { member } from "./scan.js";
import type { Service } from "./service.js";
import { afterTurn } from "./turn.js";
import { Waiting } from "./waiting.js";

/** What can be handled. */
export type Valid = Exclude<Message, { kind: "invalid" }>;

type Called = Extract<Message, { kind: "request" }>;
type Notification = Extract<Message, { kind: "notification" }>;
type Response = Extract<Message, { kind: "response" }>;
type Queued = Running | Notification | Response;

/**
 * How many times as much as may wait to be written may wait to be handled: that
 * much is read to find the cancellations and responses behind it.
 */
const FACTOR = 64;

/**
 * Hands messages to handlers in the order they came in.
 *
 * While the handler of a notification is at work, what came after it waits: so
 * a call resolves only after the notifications before its response were
 * handled. But a handler may itself wait for the peer. What it can wait for,
 * the response to a call that was made since it began, does not wait for it:
 * if need be, notifications that came before that response are handled while
 * the handler still waits. Nor do requests, which the peer may need answered
 * before it answers, and pieces of results, which no handler gets.
 *
 * What came after a response waits for the end of a turn of the event loop, in
 * which its caller has had it.
 */
export class Inbox {
  readonly #link: Link;
  readonly #service: Service;
  /** The notifications being handled: in almost all cases one. */
  readonly #handling = new Set<number>();
  /** What waits for them, or for a caller. */
  readonly #queue = new Waiting<Queued>();
  /** Requests beyond the number that is handled at a time. */
  readonly #waiting = new Waiting<Running>();
  /** Whether callers may not have had their answers yet. */
  #isHeld = false;
  #isPumping = false;
  #resume: (() => void) | undefined;
  #rest: (() => void) | undefined;

  constructor(link: Link, service: Service) {
    this.#link = link;
    this.#service = service;
    link.onSent = (method, params) => {
      this.#cancelBy(method, params, true);
    };
  }

  /** Cancels the requests that a message of this method does. */
  #cancelBy(method: string, params: unknown, isOwn: boolean): void {
    const cancelled = this.#link.turns.cancelled(method, params);
    for (const { mark, result } of cancelled) {
      this.#cancel(mark, result, isOwn);
    }
  }

  /**
   * Cancels requests. Those that no handler got are answered, and whoever
   * cancels its own does not wait for handlers.
   */
  #cancel(mark: string, result: string | undefined, isOwn: boolean): void {
    for (const request of this.#link.requests.with(mark)) {
      request.cancel(result);
      if (this.#waiting.take(request) || this.#queue.take(request)) {
        this.#link.answer(request, request.cancelled);
      } else if (isOwn) {
        this.#link.respond(request, request.cancelled);
      }
    }
  }

  /** Handles a message now, or when it is its turn. */
  take(message: Valid, batch: Collector | undefined): void {
    if (this.#cancels(message)) return;
    if (message.kind !== "response") {
      this.#cancelBy(message.method, message.params, false);
    }
    if (message.kind === "notification") {
      if (this.#service.piece(message.method, message.params)) return;
    }
    const queued =
      message.kind === "request" ? this.#request(message, batch) : message;
    if (this.#queue.length === 0 && this.#mayRun(queued)) {
      this.#run(queued);
    } else {
      this.#queue.push(queued);
      this.pump();
    }
  }

  #request(message: Called, batch: Collector | undefined): Running {
    const { method, params } = message;
    const marks = this.#link.turns.marks(method, params);
    const running = new Running(message, batch, marks);
    this.#link.requests.add(running);
    return running;
  }

  /** Cancels a request, if that is what the message says. */
  #cancels(message: Valid): boolean {
    const cancel = this.#link.cancellation;
    if (message.kind !== "notification" || message.method !== cancel?.method) {
      return false;
    }
    const params = member(message.text, "params");
    const id = params && member(params, cancel.property);
    if (id === undefined || !isIdText(id)) {
      this.#link.watch.trouble({
        type: "dropped",
        method: message.method,
        path: `params.${cancel.property}`,
        reason: "expected the id of a request",
      });
      return true;
    }
    this.#cancel(idMark(spelling(id)), undefined, false);
    return true;
  }

  /** Whether a message that nothing stands before may be handled now. */
  #mayRun(message: Queued): boolean {
    if (this.#isHeld && message.kind !== "response") return false;
    if (this.#handling.size === 0) return true;
    const { calls } = this.#link;
    if (message.kind === "notification") return false;
    if (message.kind === "request") return calls.hasSince(this.#last());
    const call = calls.find(message.id);
    return (
      call === undefined ||
      call.after >= this.#last() ||
      this.#isOfHandler(call)
    );
  }

  /** The notification that was given to its handler last. */
  #last(): number {
    return Math.max(...this.#handling);
  }

  /** Whether the handler of a notification is known to have made the call. */
  #isOfHandler({ origin }: Pending): boolean {
    return origin !== undefined && this.#handling.has(origin);
  }

  #run(message: Queued): void {
    switch (message.kind) {
      case "request":
        if (this.#mayStart() && this.#waiting.length === 0) {
          this.#service.request(message);
        } else {
          this.#waiting.push(message);
        }
        break;
      case "notification":
        this.#notification(message);
        break;
      case "response":
        this.#response(message);
    }
  }

  #notification({ method, params }: Notification): void {
    const number = this.#link.notifications + 1;
    this.#link.notifications = number;
    const handled = this.#service.notification(method, params, number);
    if (handled === undefined) return;
    // What comes after those does not wait for them.
    if (this.#link.settings.concurrent.has(method)) return;
    this.#handling.add(number);
    void handled.then(() => {
      this.#handling.delete(number);
      this.pump();
    });
  }

  #response({ id, result, error }: Response): void {
    const call = this.#link.calls.find(id);
    if (call === undefined) {
      this.#link.watch.trouble({ type: "unexpected", id });
    } else {
      this.#link.settle(id, call, result, error);
      this.#hold();
    }
  }

  /** Has what comes next wait until callers have had their answers. */
  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    afterTurn(() => {
      this.#isHeld = false;
      this.pump();
    });
  }

  /** Goes on with what waits. */
  pump(): void {
    // What is run may call this again.
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#step());
    this.#isPumping = false;
    if (this.#resume !== undefined && this.hasSpace()) {
      const resume = this.#resume;
      this.#resume = undefined;
      resume();
    }
    if (this.#isAtRest()) this.#rest?.();
  }

  #step(): boolean {
    const { first } = this.#queue;
    if (first !== undefined) {
      const next = this.#mayRun(first) ? first : this.#overtakes(first);
      if (next !== undefined) {
        this.#queue.take(next);
        this.#run(next);
        return true;
      }
    }
    const waiting = this.#waiting.first;
    if (waiting === undefined || !this.#mayStart()) return false;
    this.#waiting.take(waiting);
    this.#service.request(waiting);
    return true;
  }

  /** What a handler may be waiting for. */
  #overtakes(first: Queued): Queued | undefined {
    if (this.#isHeld || this.#handling.size === 0) return undefined;
    const { calls } = this.#link;
    const last = this.#last();
    if (!calls.hasSince(Math.min(...this.#handling))) return undefined;
    const mayCall = calls.hasSince(last);
    let isAwaited = false;
    for (const message of this.#queue) {
      if (message.kind === "notification") continue;
      if (message.kind === "request") {
        if (mayCall) return message;
        continue;
      }
      const call = calls.find(message.id);
      if (call === undefined || this.#isOfHandler(call)) return message;
      isAwaited ||= call.after >= last;
    }
    // The response waits for the notifications before it, the handler for it.
    return isAwaited ? first : undefined;
  }

  #mayStart(): boolean {
    const { maxRequests } = this.#link.settings;
    return (
      this.#link.running.size < maxRequests &&
      this.#link.outbox.answers < maxRequests
    );
  }

  /**
   * Whether more may come in. What waits for a notification has to wait before
   * it comes in, unless its handler may be waiting for the peer. Requests beyond
   * the number that is handled at a time do not hold back the cancellations and
   * responses after them, which end what is at work. But all that waits is
   * bounded, whatever it waits for.
   */
  hasSpace(): boolean {
    const { maxRequests, maxBuffered } = this.#link.settings;
    const { calls, outbox } = this.#link;
    if (outbox.answers >= 4 * maxRequests) return false;
    const waiting = this.#queue.size + this.#waiting.size;
    if (waiting > FACTOR * maxBuffered) return false;
    if (this.#queue.length < maxRequests) return true;
    const { size } = this.#handling;
    return size > 0 && calls.hasSince(Math.min(...this.#handling));
  }

  /** Calls this once more may come in. */
  onSpace(resume: () => void): void {
    this.#resume = resume;
  }

  /** The ids of responses that are still to be delivered. */
  answered(): Set<unknown> {
    const ids = new Set<unknown>();
    for (const message of this.#queue) {
      if (message.kind === "response") ids.add(message.id);
    }
    return ids;
  }

  /** Waits until what came in was handled, but for requests. */
  async rest(): Promise<void> {
    while (!this.#isAtRest()) {
      await new Promise<void>((resolve) => {
        this.#rest = resolve;
      });
    }
  }

  #isAtRest(): boolean {
    return this.#handling.size === 0 && this.#queue.length === 0;
  }

  /** Whether requests wait for their turn. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }
}
