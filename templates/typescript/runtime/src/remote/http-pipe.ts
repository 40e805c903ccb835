// A client's connection over HTTP: messages are posted, and come on streams of
// events.

import {
  type ConnectionError,
  INTERNAL_ERROR,
  type Pipe,
} from "../connection.js";
import { Aborts } from "./aborts.js";
import { readBody, readStart } from "./body.js";
import { ClientStream } from "./client-stream.js";
import type { Asked, Dialog } from "./dialog.js";
import {
  type Envelope,
  oneLine,
  open,
  type Opened,
  type ResponseEnvelope,
  singles,
} from "./envelope.js";
import type { Event } from "./event-reader.js";
import { HttpRequests, type HttpTarget } from "./http-requests.js";
import { Inflow } from "./inflow.js";
import { passed } from "./limits.js";
import {
  asLost,
  isCallOnly,
  isLost,
  lost,
  reasonOf,
  refused,
  RefusedError,
} from "./refused.js";
import { Deadline, later } from "./timer.js";

/** How long what is left to do at the end may take. */
const GRACE = 3000;

/**
 * How long nothing has to come on the streams of a connection that is lost, so
 * that nothing is still on its way.
 */
const QUIET = 500;

/** How much is read of what should be empty, in bytes, and for how long, in milliseconds. */
const REST = 64 * 1024;
const PATIENCE = 1000;

/** A client's connection over HTTP. */
export class HttpPipe implements Pipe {
  readonly #target: HttpTarget;
  readonly #dialog: Dialog;
  readonly #inflow: Inflow = new Inflow();
  readonly #requests: HttpRequests;
  readonly #posts: Aborts = new Aborts();
  readonly #sessions: Map<string, ClientStream> = new Map();
  /** The streams that are read. */
  readonly #streams: Set<ClientStream> = new Set();
  /** The sessions of the server's requests, by the ids of these. */
  readonly #asking: Map<string, string> = new Map();
  #fail: (id: unknown, error: ConnectionError) => void = () => undefined;
  #isOver = false;
  #isGone = false;

  constructor(target: HttpTarget, dialog: Dialog) {
    this.#target = target;
    this.#requests = new HttpRequests(target);
    this.#dialog = dialog;
  }

  onLost(fail: (id: unknown, error: ConnectionError) => void): void {
    this.#fail = fail;
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
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopStreams();
    this.#inflow.stop();
    // What is being sent may still go out.
    const isOpening = this.#requests.connection === undefined;
    later(isOpening ? 0 : GRACE, () => {
      this.#posts.abort();
    });
  }

  async write(text: string): Promise<void> {
    for (const line of text.split("\n")) {
      if (line === "") continue;
      // There are no batches over HTTP.
      for (const single of singles(line)) await this.#send(single);
    }
  }

  async close(): Promise<void> {
    this.cancel();
    if (this.#requests.connection === undefined || this.#isGone) return;
    this.#isGone = true;
    const abort = new AbortController();
    const stop = later(GRACE, () => {
      abort.abort();
    });
    try {
      const response = await this.#requests.delete(abort.signal);
      await response.body?.cancel();
    } catch {
      // The server finds out by itself.
    }
    stop();
  }

  /** Ends the connection. */
  #end(failure: ConnectionError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopStreams();
    this.#inflow.end(failure);
    this.#posts.abort();
  }

  /** Ends the connection, after what came before on any stream. */
  async #lose(failure: ConnectionError): Promise<void> {
    const streams = [...this.#streams];
    await Promise.all(streams.map((stream) => stream.rest(QUIET)));
    this.#end(failure);
  }

  #stopStreams(): void {
    for (const stream of this.#streams) stream.stop();
  }

  /** Sends a message, and waits until the server has it. */
  async #send(line: string): Promise<void> {
    const opened = open(line, this.#target.rules);
    const { single } = opened;
    let asked: Asked | undefined;
    for (const each of opened.all) {
      if (each.kind === "request") asked = this.#dialog.ask(each);
    }
    const isOpening =
      single?.kind === "request" && single.method === this.#target.rules.opens;
    const deadline = isOpening ? this.#deadline() : undefined;
    let headers: Record<string, string> = {};
    const abort = this.#posts.begin();
    try {
      headers = await this.#prepare(single, asked);
      let response = await this.#requests.post(line, headers, abort.signal);
      if (response.status === 404 && asked?.isReopening === true) {
        // To this server a session is one only once it is open.
        await response.body?.cancel();
        headers = {};
        response = await this.#requests.post(line, headers, abort.signal);
      }
      const { body } = this.#target.limits;
      if (!response.ok) throw await refused(response, body);
      if (deadline !== undefined) await this.#open(response, deadline);
      // Its end is waited for: servers end connections on which much is reset.
      else await readStart(response.body, Math.min(body, REST), PATIENCE);
    } catch (error) {
      const isOfSession = Object.keys(headers).length > 0;
      const isLate = deadline?.isOver === true;
      const late = lost(passed("opening", "no answer comes"));
      await this.#failed(line, opened, isLate ? late : error, isOfSession);
    }
    this.#posts.end(abort);
    deadline?.stop();
  }

  /** When the opening of the connection has taken too long. */
  #deadline(): Deadline {
    return new Deadline(this.#target.limits.opening, () => {
      this.#posts.abort();
    });
  }

  /** Opens the stream that an answer comes on; gives the headers of a message. */
  async #prepare(
    envelope: Envelope | undefined,
    asked: Asked | undefined,
  ): Promise<Record<string, string>> {
    const { session: rules } = this.#target.rules;
    const session = this.#sessionOf(envelope);
    if (rules === undefined || session === undefined) return {};
    const stream = this.#sessions.get(session);
    if (asked?.isReopening === true) {
      // The server holds it until the session is known.
      if (stream === undefined) this.#follow(session);
    } else if (
      asked?.isOpening !== true &&
      this.#dialog.sessions.has(session)
    ) {
      if (stream === undefined) {
        throw lost("the stream of the session ended; open it again");
      }
      await stream.opened.catch((error: unknown) => {
        if (isLost(error)) throw error;
        throw lost(`no stream of the session: ${reasonOf(error)}`);
      });
    }
    return { [rules.header]: session };
  }

  #sessionOf(envelope: Envelope | undefined): string | undefined {
    if (envelope?.kind !== "response") {
      return envelope !== undefined && "session" in envelope
        ? envelope.session
        : undefined;
    }
    const session = this.#asking.get(envelope.id);
    this.#asking.delete(envelope.id);
    return session !== undefined && this.#sessions.has(session)
      ? session
      : undefined;
  }

  /**
   * Has calls fail whose message did not reach the server. What is unknown to
   * the server is the session of the message, or if it has none, the connection.
   */
  async #failed(
    line: string,
    { single, all }: Opened,
    error: unknown,
    isOfSession: boolean,
  ): Promise<void> {
    if (this.#isOver) return;
    const failure =
      error instanceof RefusedError || isLost(error)
        ? error
        : lost(`a request failed: ${reasonOf(error)}`, error);
    const { opens, connection } = this.#target.rules;
    const isOpening = single?.kind === "request" && single.method === opens;
    const status = failure instanceof RefusedError ? failure.status : undefined;
    if (status === 404 && !isOpening && !isOfSession) {
      this.#isGone = true;
      const what = `the server does not know the connection (${connection})`;
      this.#end(lost(what, failure));
      return;
    }
    const asked = all.filter((each) => each.kind === "request");
    if (isOpening || !isCallOnly(failure)) {
      this.#end(failure);
      return;
    }
    if (asked.length === 0) this.#fail(undefined, failure);
    if (single?.kind === "response") {
      // The server still waits for an answer.
      const instead = `{"jsonrpc":"2.0","id":${single.id},${INTERNAL_ERROR}}`;
      if (line !== instead) await this.#send(instead);
    }
    for (const { id } of asked) {
      this.#settle({ kind: "response", id, isGood: false, result: undefined });
      this.#fail(JSON.parse(id), failure);
    }
  }

  /** Takes the answer to the message that opens the connection. */
  async #open(response: Response, deadline: Deadline): Promise<void> {
    const { rules, limits } = this.#target;
    // What is not read to its end is deleted, too.
    const isOpen = this.#requests.takeConnection(response);
    const bytes = await readBody(response.body, limits.body);
    deadline.stop();
    if (!(bytes instanceof Uint8Array))
      throw lost(passed("body", "the answer is too long"));
    const line = oneLine(new TextDecoder().decode(bytes));
    const { single } = open(line, rules);
    if (single?.kind !== "response") {
      throw lost("the server answered with no response");
    }
    this.#settle(single);
    if (single.isGood && !isOpen) {
      throw lost(`the server answered without \`${rules.connection}\``);
    }
    if (isOpen) {
      this.#requests.takeVersion(single);
      // A connection that was closed meanwhile is not read, but deleted.
      if (this.#isOver) return;
      const stream = this.#read(undefined, (failure) => {
        void this.#lose(asLost(failure));
      });
      await stream.opened;
    }
    await this.#inflow.give(line);
  }

  /** Begins to read the stream of a session. */
  #follow(session: string): ClientStream {
    const stream = this.#read(session, (failure) => {
      if (this.#sessions.get(session) !== stream) return;
      this.#sessions.delete(session);
      const { asked } = this.#dialog;
      for (const [id, call] of asked) {
        // What comes while a session is opened again comes on its stream, too:
        // but at servers to which it is none before that.
        const isNew = call.isOpening && !call.isReopening;
        const isHere = call.isScoped || !(isNew || stream.wasUnknown);
        if (call.session !== session || !isHere) continue;
        asked.delete(id);
        this.#dialog.lost.push(call.method);
        this.#fail(JSON.parse(id), call.isScoped ? asLost(failure) : failure);
      }
    });
    this.#sessions.set(session, stream);
    return stream;
  }

  #read(
    session: string | undefined,
    over: (failure: ConnectionError) => void,
  ): ClientStream {
    const get = (signal: AbortSignal): Promise<Response> =>
      this.#requests.get(session, signal);
    const handle = (event: Event): Promise<void> =>
      this.#handle(event, session);
    const { body, opening } = this.#target.limits;
    const stream = new ClientStream(get, opening, body, handle, (failure) => {
      this.#streams.delete(stream);
      if (!stream.isDone) over(failure);
    });
    this.#streams.add(stream);
    return stream;
  }

  /** Hands on a message once what came before it was. */
  async #handle(
    { data, after }: Event,
    session: string | undefined,
  ): Promise<void> {
    const line = oneLine(data);
    const { single, all } = open(line, this.#target.rules);
    for (const each of all) {
      if (each.kind === "request" && session !== undefined) {
        this.#asking.set(each.id, session);
      }
    }
    if (single?.kind === "response") {
      const opened = this.#settle(single);
      if (opened !== undefined) {
        const early = this.#sessions.get(opened);
        await early?.opened.catch(() => undefined);
        // Before, the server may have said that there is no such session.
        // Nothing else is asked twice.
        const isAsked = early !== undefined && !early.wasUnknown;
        const stream = isAsked ? early : this.#follow(opened);
        try {
          await stream.opened;
        } catch (error) {
          const failure =
            error instanceof RefusedError ? error : asLost(error as Error);
          this.#fail(JSON.parse(single.id), failure);
          return;
        }
        await stream.handled(after ?? 0, this.#target.limits.sessionWait);
      }
    }
    await this.#inflow.give(line);
  }

  /** Takes note of an answer. Gives the session that it opened. */
  #settle(response: ResponseEnvelope): string | undefined {
    const answered = this.#dialog.answer(response);
    const closed = answered?.closed;
    if (closed !== undefined) {
      const stream = this.#sessions.get(closed);
      this.#sessions.delete(closed);
      if (response.isGood && stream !== undefined) stream.isDone = true;
      else stream?.stop();
    }
    return answered?.opened;
  }
}
