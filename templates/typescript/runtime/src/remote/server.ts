// A server, and the connections that it keeps.

import type { ConnectionOptions, Pipe, Stream } from "../connection.js";
import type { Authenticate, IncomingRequest, RequestInfo } from "./access.js";
import { wrong } from "./answers.js";
import type { Dialog } from "./dialog.js";
import { Gate } from "./gate.js";
import { Hosts } from "./hosts.js";
import { limits, passed, type RemoteLimits } from "./limits.js";
import { Origins } from "./origin.js";
import { Registry } from "./registry.js";
import type { RemoteRules } from "./rules.js";
import type { WebSocketLike } from "./socket.js";
import { type ServedSocket, serveSocket } from "./socket-server.js";
import { PipeStream } from "./stream.js";
import { later } from "./timer.js";

/** Choices about a server. */
export interface ServerOptions {
  /**
   * The path of the endpoint.
   *
   * @default what the protocol says
   */
  readonly path?: string;
  /**
   * The hosts that it takes requests for, such as `example.com` or
   * `example.com:8443`; `*` means all. A page can give its own host the address
   * of this machine.
   *
   * @default `localhost` and the addresses 127.0.0.1 and ::1
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Sites whose pages may connect beside the server's own, as origins such as
   * `https://example.com`; `*` means all.
   *
   * @default none
   */
  readonly origins?: readonly string[];
  /** How much is held, and how long is waited. */
  readonly limits?: Partial<RemoteLimits>;
  /** Decides who may connect. */
  readonly authenticate?: Authenticate;
  /** Choices about each connection. */
  readonly connection?: ConnectionOptions;
}

/** The request that opened a connection. */
export interface Opening extends RequestInfo {
  readonly request: Pick<IncomingRequest, "method" | "url" | "headers">;
  /** What `authenticate` gave. */
  readonly identity: unknown;
}

/** Makes a connection over a stream. */
export type Serve = (
  stream: Stream,
  opening: Opening,
  options: ConnectionOptions,
) => { readonly closed: Promise<void> };

/** Answers a request that may go on. */
export type Answer = (
  request: IncomingRequest,
  opening: Opening,
) => Promise<Response>;

/** An upgrade to WebSocket that was accepted. */
export interface Upgrade {
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the socket: it is open, and no message was read yet. */
  accept(socket: WebSocketLike): void;
  /** Says that it came to nothing. */
  cancel(): void;
}

/** Serves connections over WebSockets. */
export class RemoteServer {
  /** How much is held, and how long is waited. */
  readonly limits: RemoteLimits;
  protected readonly rules: RemoteRules;
  protected readonly registry: Registry = new Registry();
  /** The verbs that are answered. */
  protected readonly methods: readonly string[] = ["GET"];
  readonly #serve: Serve;
  readonly #connection: ConnectionOptions;
  readonly #origins: Origins;
  readonly #gate: Gate;
  #isDraining = false;

  /** @internal */
  constructor(rules: RemoteRules, serve: Serve, options: ServerOptions) {
    this.rules = rules;
    this.limits = limits(options.limits);
    this.#serve = serve;
    // What may come in may be read.
    const maxLine = 2 * this.limits.body;
    this.#connection = { maxLine, ...options.connection };
    const hosts = new Hosts(options.allowedHosts);
    this.#origins = new Origins(hosts, options.origins ?? [], rules);
    const path = options.path ?? rules.path;
    const { authenticate } = options;
    this.#gate = new Gate(path, this.#origins, this.limits, authenticate);
  }

  /** The path of the endpoint. */
  get path(): string {
    return this.#gate.path;
  }

  /** How many connections there are. */
  get connections(): number {
    return this.registry.size;
  }

  /** Answers a request of HTTP. */
  async fetch(
    request: IncomingRequest,
    info: RequestInfo = {},
  ): Promise<Response> {
    const origins = this.#origins;
    const isAllowed = origins.refusal(request) === undefined;
    if (isAllowed && origins.isPreflight(request)) {
      return origins.preflight(request, this.methods);
    }
    const admitted = await this.#gate.admit(request, info);
    const response =
      admitted instanceof Response
        ? admitted
        : await this.answer(request, { ...info, request, ...admitted });
    if (isAllowed) origins.share(request, response);
    return response;
  }

  /** What answers requests that may go on. */
  protected readonly answer: Answer = () => {
    const headers = { upgrade: "websocket" };
    const message = "only WebSockets are served here";
    return Promise.resolve(wrong({ status: 426, message, headers }));
  };

  /** Accepts an upgrade to WebSocket, or refuses it with an answer. */
  async upgrade(
    request: IncomingRequest,
    info: RequestInfo = {},
  ): Promise<Upgrade | Response> {
    const admitted = await this.#gate.admit(request, info);
    if (admitted instanceof Response) return admitted;
    const full = this.full();
    if (full !== undefined) return full;
    const id = this.registry.reserve();
    const { connection } = this.rules;
    const cancel = (): void => {
      this.registry.remove(id);
    };
    const stop = later(this.limits.opening, cancel);
    return {
      headers: connection === undefined ? {} : { [connection]: id },
      accept: (socket) => {
        stop();
        const served = serveSocket(socket, this.rules, this.limits);
        this.#start(id, served, { ...info, request, ...admitted });
      },
      cancel() {
        stop();
        cancel();
      },
    };
  }

  /** Takes a WebSocket that the platform has opened, or closes it again. */
  async accept(
    socket: WebSocketLike,
    request: IncomingRequest,
    info: RequestInfo = {},
  ): Promise<void> {
    // Now, so that no message is missed.
    const served = serveSocket(socket, this.rules, this.limits);
    const admitted = await this.#gate.admit(request, info);
    const refused = admitted instanceof Response ? admitted : this.full();
    if (refused === undefined && !(admitted instanceof Response)) {
      const id = this.registry.reserve();
      this.#start(id, served, { ...info, request, ...admitted });
    } else {
      served.pipe.stop(1008, `refused (${String(refused?.status)})`);
    }
  }

  /**
   * Ends all connections: once they have answered what they were asked, or
   * after this time in milliseconds. New ones are refused from now on.
   */
  async drain(timeout: number): Promise<void> {
    this.#isDraining = true;
    const until = Date.now() + timeout;
    while (this.#isBusy() && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.close();
  }

  /** Ends all connections. New ones are refused from now on. */
  async close(): Promise<void> {
    this.#isDraining = true;
    const members = [...this.registry.members()];
    for (const member of members) member.stop("the server shuts down");
    await Promise.all(members.map(({ ended }) => ended));
  }

  #isBusy(): boolean {
    const members = [...this.registry.members()];
    return members.some(({ dialog }) => dialog.asked.size > 0);
  }

  /** The answer that refuses another connection, if there must be none. */
  protected full(): Response | undefined {
    const headers = { "retry-after": "5" };
    if (this.#isDraining) {
      return wrong({ status: 503, message: "the server shuts down", headers });
    }
    if (this.registry.size < this.limits.connections) return undefined;
    const message = passed("connections", "there are too many connections");
    return wrong({ status: 503, message, headers });
  }

  /** Has handlers serve a connection. Throws if these cannot be made. */
  protected start(
    id: string,
    pipe: Pipe,
    dialog: Dialog,
    stop: (reason: string) => void,
    opening: Opening,
  ): void {
    const stream = new PipeStream(pipe);
    const { closed } = this.#serve(stream, opening, this.#connection);
    const ended = closed.then(() => {
      this.registry.remove(id);
    });
    const { identity } = opening;
    this.registry.add(id, { identity, pipe, dialog, stop, ended });
  }

  #start(id: string, { pipe, dialog }: ServedSocket, opening: Opening): void {
    const stop = (reason: string): void => {
      pipe.stop(1001, reason);
    };
    try {
      this.start(id, pipe, dialog, stop, opening);
    } catch {
      this.registry.remove(id);
      pipe.stop(1011, "the connection could not be served");
    }
  }
}
