// A server that also speaks plain HTTP: messages are posted, and come back on
// streams of events.

import type { IncomingRequest } from "./access.js";
import { json, PARSE_ERROR, wrong } from "./answers.js";
import { readBody, STOPPED, TOO_LONG } from "./body.js";
import {
  type Envelope,
  oneLine,
  open,
  type RequestEnvelope,
} from "./envelope.js";
import { HttpConnection } from "./http-connection.js";
import { passed } from "./limits.js";
import type { HttpRules } from "./rules.js";
import {
  type Answer,
  type Opening,
  RemoteServer,
  type Serve,
  type ServerOptions,
} from "./server.js";
import { Deadline } from "./timer.js";

/** Choices about a server that also speaks plain HTTP. */
export interface HttpServerOptions extends ServerOptions {
  /**
   * Whether requests of HTTP/1.1 are answered, too. WebSockets need it not.
   *
   * @default false
   */
  readonly http1?: boolean;
}

/** Serves connections over HTTP and over WebSockets. */
export class HttpServer extends RemoteServer {
  protected override readonly methods: readonly string[] = [
    "GET",
    "POST",
    "DELETE",
  ];
  protected readonly http: HttpRules;
  readonly #hasHttp1: boolean;

  /** @internal */
  constructor(rules: HttpRules, serve: Serve, options: HttpServerOptions) {
    super(rules, serve, options);
    this.http = rules;
    this.#hasHttp1 = options.http1 ?? false;
  }

  protected override readonly answer: Answer = (request, opening) => {
    if (opening.version === "1.1" && !this.#hasHttp1) {
      const message =
        "HTTP/2 is needed; the option `http1` of the server turns HTTP/1.1 on";
      return Promise.resolve(wrong({ status: 505, message }));
    }
    switch (request.method) {
      case "POST":
        return this.#post(request, opening);
      case "GET":
        return this.#get(request, opening);
      case "DELETE":
        return Promise.resolve(this.#delete(request, opening));
    }
    const headers = { allow: this.methods.join(", ") };
    const message = `${request.method} means nothing here`;
    return Promise.resolve(wrong({ status: 405, message, headers }));
  };

  async #post(request: IncomingRequest, opening: Opening): Promise<Response> {
    const { headers } = request;
    const type = headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    if (type.toLowerCase() !== "application/json") {
      const message = "the body has to be JSON (header `Content-Type`)";
      return wrong({ status: 415, message });
    }
    const text = await this.#body(request);
    if (text instanceof Response) return text;
    const { single, all, isBatch } = open(text, this.http);
    if (isBatch) {
      const message = "batches are for WebSockets and standard streams";
      return wrong({ status: 501, message });
    }
    if (all.length === 0) {
      const message = "the body is no JSON";
      return wrong({ status: 400, message, code: PARSE_ERROR });
    }
    if (!text.trimStart().startsWith("{")) {
      return wrong({ status: 400, message: "the body is no object" });
    }
    const line = oneLine(text);
    const { opens, connection: header } = this.http;
    const isOpening = single?.kind === "request" && single.method === opens;
    if (isOpening && !headers.has(header)) {
      return this.#open(request, opening, line, single);
    }
    const connection = this.#find(request, opening);
    if (connection instanceof Response) return connection;
    if (isOpening) {
      return wrong({ status: 400, message: "the connection is open already" });
    }
    return this.#receive(connection, headers, line, single);
  }

  /** Has a connection take a message. */
  async #receive(
    connection: HttpConnection,
    headers: Headers,
    line: string,
    envelope: Envelope | undefined,
  ): Promise<Response> {
    const header = this.http.session?.header ?? "";
    const named = header === "" ? null : headers.get(header);
    const session =
      envelope !== undefined && "session" in envelope
        ? envelope.session
        : undefined;
    if (session !== undefined && named !== session) {
      const message =
        named === null
          ? `the header \`${header}\` is missing`
          : `the header \`${header}\` and the params name different sessions`;
      return wrong({ status: 400, message });
    }
    const isNew =
      envelope?.kind === "request" && connection.dialog.opensUnknown(envelope);
    if (isNew && !connection.mayOpen()) {
      const message = passed("sessions", "there are too many sessions");
      return wrong({ status: 503, message });
    }
    if (!connection.hasSpace(line.length)) {
      const message = passed("buffered", "too many messages wait");
      return wrong({ status: 503, message });
    }
    await connection.receive(line, envelope, named ?? undefined);
    return new Response(null, { status: 202 });
  }

  /** Opens a connection by its first message. */
  async #open(
    request: IncomingRequest,
    opening: Opening,
    line: string,
    envelope: RequestEnvelope,
  ): Promise<Response> {
    const full = this.full();
    if (full !== undefined) return full;
    const id = this.registry.reserve();
    const { http, limits } = this;
    const connection = new HttpConnection(http, limits, envelope.id);
    const stop = (reason: string): void => {
      connection.stop(reason);
    };
    try {
      this.start(id, connection, connection.dialog, stop, opening);
    } catch {
      this.registry.remove(id);
      stop("it could not be served");
      const message = "the connection could not be served";
      return wrong({ status: 500, message, code: -32603 });
    }
    const late = passed("opening", "opening the connection took too long");
    const deadline = new Deadline(limits.opening, () => {
      stop(late);
    });
    const left = (): void => {
      stop("the client left before it was open");
    };
    request.signal?.addEventListener("abort", left);
    try {
      void connection.receive(line, envelope, undefined);
      const answer = await connection.answer;
      if (answer.isGood) {
        return json(answer.line, 200, { [http.connection]: id });
      }
      this.registry.remove(id);
      stop("it was not opened");
      return json(answer.line, 200);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const status = deadline.isOver ? 504 : 503;
      return wrong({ status, message, code: -32603 });
    } finally {
      deadline.stop();
      request.signal?.removeEventListener("abort", left);
    }
  }

  async #get(request: IncomingRequest, opening: Opening): Promise<Response> {
    const { headers } = request;
    const accept = headers.get("accept")?.toLowerCase() ?? "";
    const types = accept.split(",").map((it) => it.split(";")[0]?.trim());
    if (!types.includes("text/event-stream")) {
      const message = "the answer would be text/event-stream (header `Accept`)";
      return wrong({ status: 406, message });
    }
    const connection = this.#find(request, opening);
    if (connection instanceof Response) return connection;
    const header = this.http.session?.header;
    const session = header === undefined ? null : headers.get(header);
    const stream = await connection.stream(session ?? undefined);
    if (stream === undefined) {
      const message = `the session is not known (header \`${String(header)}\`)`;
      return wrong({ status: 404, message });
    }
    if (stream.hasReader) {
      const message = "the stream is being read already";
      return wrong({ status: 409, message });
    }
    return new Response(stream.open(this.limits.keepAlive), {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      },
    });
  }

  #delete(request: IncomingRequest, opening: Opening): Response {
    const connection = this.#find(request, opening);
    if (connection instanceof Response) return connection;
    connection.stop("the client closed it");
    return new Response(null, { status: 202 });
  }

  /** The connection that a request is for, or the answer that there is none. */
  #find(
    { headers }: IncomingRequest,
    { identity }: Opening,
  ): HttpConnection | Response {
    const header = this.http.connection;
    const id = headers.get(header);
    if (id === null) {
      const message = `the header \`${header}\` is missing`;
      return wrong({ status: 400, message });
    }
    const pipe = this.registry.find(id, identity)?.pipe;
    if (pipe instanceof HttpConnection && !pipe.isStopped) return pipe;
    const message = `the connection is not known (header \`${header}\`)`;
    return wrong({ status: 404, message });
  }

  /** The body of a request as text, or the answer that it is none. */
  async #body(request: IncomingRequest): Promise<string | Response> {
    const { body: limit, reading } = this.limits;
    const message = passed("body", "the body is too long");
    if (Number(request.headers.get("content-length") ?? 0) > limit) {
      return wrong({ status: 413, message });
    }
    const bytes = await readBody(request.body, limit, reading);
    if (bytes === TOO_LONG) return wrong({ status: 413, message });
    if (bytes === STOPPED) {
      const stopped = passed(
        "reading",
        "nothing came of the body for too long",
      );
      return wrong({ status: 408, message: stopped });
    }
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      const message = "the body is no UTF-8";
      return wrong({ status: 400, message, code: PARSE_ERROR });
    }
  }
}
