// Reads, writes, and hands out messages.

import { ConnectionError } from "./connection-error.js";
import type { MakeContext } from "./context.js";
import { Framing } from "./framing.js";
import { Inbox } from "./inbox.js";
import { Intake } from "./intake.js";
import { Link } from "./link.js";
import type { Side } from "./method.js";
import { type ConnectionOptions, settings } from "./options.js";
import { Outbox } from "./outbox.js";
import type { Route } from "./peer.js";
import { type Pipe, pipe } from "./pipe.js";
import { RequestError } from "./request-error.js";
import { failure } from "./running.js";
import { Service } from "./service.js";
import { Strays } from "./stray.js";
import type { MessageStream, Stream } from "./stream.js";
import { Watch } from "./watch.js";

/** One end of a connection. */
export class Connection {
  readonly #link: Link;
  readonly #inbox: Inbox;
  readonly #intake: Intake;
  readonly #service: Service;
  readonly #framing: Framing;
  readonly #pipe: Pipe;
  readonly #stream: Partial<Pick<Stream, "dispose" | "finish" | "isStarted">>;
  readonly #strays: Strays | undefined;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  #start: (() => void) | undefined;
  /** Says that nothing more comes in. */
  #end: (() => void) | undefined;
  #isStopped = false;
  #failure: unknown;

  constructor(
    stream: Stream | MessageStream,
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
    this.#pipe = pipe(stream);
    const outbox = new Outbox(this.#pipe, chosen.maxBuffered, changed, failed);
    const watch = new Watch(options, stream, side);
    this.#link = new Link(side, chosen, watch, outbox, changed, failed);
    this.#service = new Service(this.#link, side, context);
    this.#inbox = new Inbox(this.#link, this.#service);
    this.#stream = stream;
    const { strayLines } = options;
    const mayPrint = this.#stream.isStarted === true;
    if (mayPrint || strayLines !== undefined) {
      this.#strays = new Strays(strayLines);
    }
    const intake = new Intake(this.#link, this.#inbox, this.#strays);
    this.#intake = intake;
    this.#pipe.onLost?.((id, error) => {
      intake.lose(id, error);
    });
    this.#framing = new Framing(chosen.maxLine, (line) => {
      intake.line(line);
    });
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
    this.#failure ??= this.#withLastWords(failure);
    this.#pipe.cancel();
    this.#end?.();
  }

  async #run(): Promise<void> {
    await this.#read();
    this.#link.end(this.#failure, this.#inbox.answered());
    await this.#rest();
    this.#link.isClosed = true;
    const written = this.#link.outbox.close();
    await this.#stream.finish?.(written);
    await written;
    this.#stream.dispose?.();
  }

  /** Reads until nothing more comes in. */
  #read(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.#end = resolve;
      const take = (bytes: Uint8Array): void => {
        this.#take(bytes);
      };
      this.#pipe.read(take, (failure) => {
        // It may be said more than once.
        if (this.#isStopped || this.#end === undefined) return;
        this.#end = undefined;
        this.#intake.isAtEnd = true;
        // An end with a reason is an end all the same.
        if (failure === undefined || isEnd(failure)) this.#framing.end();
        this.#failure ??= this.#withLastWords(failure);
        resolve();
      });
    });
  }

  /** How a process ended, and the last that it said. */
  #withLastWords(failure: unknown): unknown {
    const said = this.#strays?.lastWords ?? "";
    if (said === "" || this.#stream.isStarted !== true) return failure;
    if (!isEnd(failure)) return failure;
    return new ConnectionError("closed", failure.message + said);
  }

  #take(bytes: Uint8Array): void {
    if (this.#isStopped) return;
    this.#framing.receive(bytes);
    if (this.#inbox.hasSpace()) return;
    this.#pipe.pause();
    this.#inbox.onSpace(() => {
      this.#pipe.resume();
    });
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

function isEnd(failure: unknown): failure is ConnectionError {
  return failure instanceof ConnectionError && failure.kind === "closed";
}

/** Lets whatever is ready happen. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
