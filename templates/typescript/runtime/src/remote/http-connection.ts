// A connection of a server whose messages go out on streams of events.

import { ConnectionError, type Pipe } from "../connection.js";
import { Dialog } from "./dialog.js";
import {
  type Envelope,
  open,
  type ResponseEnvelope,
  singles,
} from "./envelope.js";
import { EventStream } from "./event-stream.js";
import { Inflow } from "./inflow.js";
import { COST, passed, type RemoteLimits } from "./limits.js";
import type { RemoteRules } from "./rules.js";
import { Deadline, later, Turns } from "./timer.js";

/** A connection of a server whose messages go out on streams of events. */
export class HttpConnection implements Pipe {
  readonly dialog: Dialog;
  /** Resolves to the answer to the request that opened it. */
  readonly answer: Promise<ResponseEnvelope & { readonly line: string }>;
  readonly #rules: RemoteRules;
  readonly #limits: RemoteLimits;
  readonly #inflow: Inflow = new Inflow();
  readonly #turns: Turns = new Turns();
  readonly #stream: EventStream;
  readonly #sessions: Map<string, EventStream> = new Map();
  /** The id of the request that opened it, until it is answered. */
  #opening: string | undefined;
  #answered: ((answer: Awaited<HttpConnection["answer"]>) => void) | undefined;
  #failed: ((reason: Error) => void) | undefined;
  readonly #waiting: (() => void)[] = [];
  #isOver = false;
  #reason: string | undefined;
  #used = Date.now();
  #stopIdle: (() => void) | undefined;

  /** It is opened by the request with this id. */
  constructor(rules: RemoteRules, limits: RemoteLimits, opening: string) {
    this.#rules = rules;
    this.#limits = limits;
    this.#opening = opening;
    this.dialog = new Dialog(rules);
    this.#stream = this.#make();
    this.answer = new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
    this.answer.catch(() => undefined);
    this.#watch();
  }

  read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void {
    this.#inflow.read(take, end);
  }

  pause(): void {
    this.#inflow.pause();
  }

  resume(): void {
    this.#inflow.resume();
  }

  cancel(): void {
    this.#inflow.stop();
  }

  /** Whether there is space for a message of so many bytes. */
  hasSpace(bytes: number): boolean {
    const { waiting, isPaused } = this.#inflow;
    return !isPaused || waiting + bytes + COST <= this.#limits.buffered;
  }

  /** Whether there may be one more session. */
  mayOpen(): boolean {
    const { sessions, opening } = this.dialog;
    return sessions.size + opening < this.#limits.sessions;
  }

  /** Takes a message of the client. Resolves when the connection has it. */
  async receive(
    line: string,
    envelope: Envelope | undefined,
    session: string | undefined,
  ): Promise<void> {
    this.#used = Date.now();
    if (envelope?.kind === "request") this.dialog.ask(envelope, session);
    this.#change();
    await this.#inflow.give(line);
  }

  /** The stream of a session, once it is known, or of the connection. */
  async stream(session: string | undefined): Promise<EventStream | undefined> {
    this.#used = Date.now();
    if (session === undefined) return this.#stream;
    const deadline = new Deadline(this.#limits.sessionWait, () => {
      this.#change();
    });
    const { sessions } = this.dialog;
    while (!sessions.has(session) && !deadline.isOver && !this.isStopped) {
      await this.#changed();
    }
    deadline.stop();
    return sessions.has(session) && !this.isStopped
      ? this.#of(session)
      : undefined;
  }

  /** Puts messages on their streams. Resolves when there is space for more. */
  async write(text: string): Promise<void> {
    const touched = new Set<EventStream>();
    for (const line of text.split("\n")) {
      if (line === "") continue;
      // There are no batches over HTTP.
      for (const single of singles(line)) {
        const stream = this.#route(single, open(single, this.#rules).single);
        if (stream !== undefined) touched.add(stream);
        this.#turns.count += 1;
      }
    }
    await this.#turns.take();
    this.#used = Date.now();
    const { buffered } = this.#limits;
    for (const stream of touched) {
      while (stream.size > buffered && stream.hasReader && !this.isStopped) {
        await this.#changed();
      }
      if (stream.size > buffered) {
        const reason = "too much waits for a reader";
        this.stop(passed("buffered", reason));
      }
    }
  }

  /** Nothing more goes out: the streams end. */
  close(): Promise<void> {
    this.#over();
    return Promise.resolve();
  }

  /** Ends the connection for a reason. */
  stop(reason: string): void {
    if (this.isStopped) return;
    this.#reason = reason;
    const message = `connection closed: ${reason}`;
    this.#failed?.(new Error(reason));
    this.#inflow.stop(new ConnectionError("closed", message));
    // Nobody waits for readers any more.
    this.#change();
  }

  /** Whether it takes nothing more. */
  get isStopped(): boolean {
    return this.#reason !== undefined || this.#isOver;
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopIdle?.();
    this.#failed?.(new Error(this.#reason ?? "the connection is over"));
    for (const stream of this.#sessions.values()) stream.end(this.#reason);
    this.#stream.end(this.#reason);
    this.#change();
  }

  /** Puts a message on its stream, and gives that. */
  #route(
    line: string,
    envelope: Envelope | undefined,
  ): EventStream | undefined {
    if (envelope?.kind === "response") return this.#respond(line, envelope);
    const stream = this.#streamOf(envelope);
    stream.push(line);
    return stream;
  }

  #streamOf(envelope: Envelope | undefined): EventStream {
    const session =
      envelope !== undefined && "session" in envelope
        ? envelope.session
        : undefined;
    if (session === undefined) return this.#stream;
    if (this.dialog.sessions.has(session)) return this.#of(session);
    // It may be one that is just being opened.
    const hasSpace =
      this.#sessions.has(session) ||
      this.#sessions.size < this.#limits.sessions;
    const isExpected = hasSpace && this.dialog.opening > 0;
    return isExpected ? this.#of(session) : this.#stream;
  }

  /** Puts an answer on its stream. */
  #respond(line: string, response: ResponseEnvelope): EventStream | undefined {
    const answered = this.dialog.answer(response);
    if (response.id === this.#opening) {
      this.#opening = undefined;
      this.#answered?.({ ...response, line });
      return undefined;
    }
    if (answered?.isOpening === true && !answered.isReopening) this.#sweep();
    const session = answered?.isScoped === true ? answered.session : undefined;
    const its = session === undefined ? undefined : this.#sessions.get(session);
    const stream = its ?? this.#stream;
    const { opened, closed } = answered ?? {};
    if (opened === undefined) {
      stream.push(line);
    } else {
      const other = this.#of(opened);
      const after = other.pushed;
      const isReady = (): boolean => !other.hasReader || other.given >= after;
      stream.push(line, after, isReady);
    }
    if (closed !== undefined) {
      this.#sessions.get(closed)?.end();
      this.#sessions.delete(closed);
    }
    this.#change();
    return stream;
  }

  /** Has what waits for sessions that did not come go with the rest. */
  #sweep(): void {
    const { sessions, opening } = this.dialog;
    if (opening > 0) return;
    for (const [session, stream] of this.#sessions) {
      if (sessions.has(session)) continue;
      this.#sessions.delete(session);
      stream.moveTo(this.#stream);
    }
  }

  #of(session: string): EventStream {
    let stream = this.#sessions.get(session);
    if (stream === undefined) {
      stream = this.#make();
      this.#sessions.set(session, stream);
    }
    return stream;
  }

  #make(): EventStream {
    return new EventStream(() => {
      this.#used = Date.now();
      // An answer may have waited for this.
      this.#stream.flow();
      this.#change();
    });
  }

  /** Closes the connection when it is not used any more. */
  #watch(): void {
    const { idle } = this.#limits;
    const isRead = [this.#stream, ...this.#sessions.values()].some(
      ({ hasReader }) => hasReader,
    );
    const left = isRead ? idle : this.#used + idle - Date.now();
    if (left <= 0) {
      this.stop(passed("idle", "nothing happened for too long"));
    } else {
      this.#stopIdle = later(left, () => {
        this.#watch();
      });
    }
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #change(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
