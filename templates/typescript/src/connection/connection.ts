// Reads, writes, and hands out messages.

import { RequestError } from "../errors.js";
import type { MakeContext } from "./context.js";
import { Framing } from "./framing.js";
import { Inbox } from "./inbox.js";
import { Link } from "./link.js";
import type { Side } from "./method.js";
import { type ConnectionOptions, settings } from "./options.js";
import { Outbox } from "./outbox.js";
import type { Route } from "./peer.js";
import { failure } from "./running.js";
import { Service } from "./service.js";
import type { Stream } from "./stream.js";

/** One end of a connection. */
export class Connection {
  readonly #link: Link;
  readonly #inbox: Inbox;
  readonly #service: Service;
  readonly #framing: Framing;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #dispose: (() => void) | undefined;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  #start: (() => void) | undefined;
  #isStopped = false;
  #failure: unknown;

  constructor(
    stream: Stream,
    options: ConnectionOptions,
    side: Side,
    context: MakeContext,
  ) {
    const chosen = settings(options);
    const changed = (): void => {
      this.#inbox.pump();
    };
    const failed = (error: unknown): void => {
      this.#stop(error);
    };
    const { writable, readable } = stream;
    const outbox = new Outbox(writable, chosen.maxBuffered, changed, failed);
    this.#link = new Link(side.rules, chosen, outbox, changed);
    this.#service = new Service(this.#link, side, context);
    const inbox = new Inbox(this.#link, this.#service);
    this.#inbox = inbox;
    this.#framing = new Framing(chosen.maxLine, (line) => {
      inbox.line(line);
    });
    this.#reader = readable.getReader();
    this.#dispose = stream.dispose?.bind(stream);
    const started = new Promise<void>((resolve) => {
      this.#start = resolve;
    });
    this.closed = started.then(() => this.#run());
  }

  /** How to call the other end. */
  get route(): Route {
    return { link: this.#link };
  }

  /** Fires when nothing more comes in. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** Begins to hand out messages. */
  start(handler: object): void {
    this.#service.use(handler);
    this.#start?.();
  }

  /** Ends the connection once everything is written. */
  close(): Promise<void> {
    this.#link.isClosed = true;
    this.#stop(undefined);
    return this.closed;
  }

  #stop(failure: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#failure ??= failure;
    this.#inbox.resume();
    this.#reader.cancel().catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.#failure ??= error;
    }
    this.#link.end(this.#failure, this.#inbox.answered());
    await this.#rest();
    this.#link.isClosed = true;
    await this.#link.outbox.close();
    this.#dispose?.();
  }

  async #read(): Promise<void> {
    while (await this.#mayRead()) {
      const { value } = await this.#reader.read();
      if (value === undefined) break;
      this.#framing.receive(value);
    }
    if (this.#isWanted()) this.#framing.end();
  }

  /** Waits until more may come in. Says whether it is wanted. */
  async #mayRead(): Promise<boolean> {
    const mayRead = !this.#isWanted() || this.#inbox.hasSpace();
    if (!mayRead) await this.#inbox.space();
    return this.#isWanted();
  }

  /** Whether what comes in is wanted. */
  #isWanted(): boolean {
    return !this.#isStopped;
  }

  /** Waits for handlers; those that go on waiting are given up. */
  async #rest(): Promise<void> {
    const { running } = this.#link;
    do {
      await turn();
      const cancelled = failure(RequestError.requestCancelled());
      for (const each of running) this.#link.respond(each, cancelled);
      if (!this.#inbox.hasWaiting) await this.#inbox.rest();
    } while (running.size > 0 || this.#inbox.hasWaiting);
  }
}

/** Lets whatever is ready happen. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
