// A client: knows a server, and connects to it as often as is wanted.

import type { Pipe } from "../connection.js";
import { Dialog } from "./dialog.js";
import { mayAsk, open } from "./envelope.js";
import { limits, passed, type RemoteLimits } from "./limits.js";
import { OpeningWatch } from "./opening.js";
import { lost, reasonOf } from "./refused.js";
import type { RemoteRules } from "./rules.js";
import { GONE, SocketPipe, type WebSocketLike } from "./socket.js";
import { LatePipe, PipeStream } from "./stream.js";
import { Deadline } from "./timer.js";

/** Choices about a client. */
export interface RemoteOptions {
  /** Headers of every request. Browsers cannot send them with WebSockets. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The longest message, how often a WebSocket is asked for a sign of life, and
   * how long the server may take to open a connection or a stream.
   */
  readonly limits?: Partial<
    Pick<RemoteLimits, "body" | "buffered" | "opening" | "ping" | "sessionWait">
  >;
  /** What opens a WebSocket. */
  readonly connectSocket?: ConnectSocket;
}

/** Opens a WebSocket. It gives up when the signal fires. */
export type ConnectSocket = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<WebSocketLike>;

/** What is open, and what is on its way. */
export interface RemoteState {
  /** The sessions that are open. */
  readonly sessions: readonly string[];
  /** The methods of the calls that wait for their answers, or were lost. */
  readonly lost: readonly string[];
}

/** A connection to a server, for the constructor of a side's connection. */
export class RemoteStream extends PipeStream {
  readonly #dialog: Dialog;

  /** @internal */
  constructor(pipe: Pipe, dialog: Dialog) {
    super(pipe);
    this.#dialog = dialog;
  }

  /** What is open, and on its way; once it has ended, what was. */
  get state(): RemoteState {
    const { sessions, asked, lost } = this.#dialog;
    const methods = [...asked.values()].map(({ method }) => method);
    return { sessions: [...sessions], lost: [...lost, ...methods] };
  }
}

/** Connects to a server over WebSockets. */
export class RemoteClient {
  readonly url: URL;
  protected readonly rules: RemoteRules;
  protected readonly limits: RemoteLimits;
  protected readonly headers: Readonly<Record<string, string>>;
  readonly #connectSocket: ConnectSocket;

  /** @internal */
  constructor(url: string | URL, rules: RemoteRules, options: RemoteOptions) {
    this.url = new URL(url);
    this.rules = rules;
    this.limits = limits(options.limits);
    this.headers = options.headers ?? {};
    this.#connectSocket = options.connectSocket ?? connectSocket;
  }

  /** A new connection. It is opened when it is used. */
  connect(): RemoteStream {
    const dialog = new Dialog(this.rules);
    return new RemoteStream(this.open(dialog), dialog);
  }

  protected open(dialog: Dialog): Pipe {
    return new LatePipe((signal) => this.socket(dialog, signal));
  }

  /** Opens a WebSocket. */
  protected async socket(dialog: Dialog, signal: AbortSignal): Promise<Pipe> {
    const { rules, limits } = this;
    const url = new URL(this.url);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = await this.#socket(url, signal);
    const opening = new OpeningWatch(rules.opens, limits.opening, (reason) => {
      pipe.stop(GONE, reason);
    });
    const pipe = new SocketPipe(socket, limits, {
      received(line) {
        if (!mayAsk(line)) return undefined;
        for (const each of open(line, rules).all) {
          if (each.kind !== "response") continue;
          dialog.answer(each);
          opening.answered(each);
        }
        return undefined;
      },
      sent(line) {
        if (!mayAsk(line)) return;
        for (const each of open(line, rules).all) {
          if (each.kind !== "request") continue;
          dialog.ask(each);
          opening.asked(each);
        }
      },
    });
    return pipe;
  }

  /** Opens a WebSocket in time. */
  async #socket(url: URL, signal: AbortSignal): Promise<WebSocketLike> {
    const abort = new AbortController();
    const give = (): void => {
      abort.abort();
    };
    signal.addEventListener("abort", give);
    const deadline = new Deadline(this.limits.opening, give);
    try {
      return await this.#connectSocket(url, this.headers, abort.signal);
    } catch (error) {
      if (!deadline.isOver) throw error;
      throw lost(passed("opening", "no WebSocket is given"));
    } finally {
      deadline.stop();
      signal.removeEventListener("abort", give);
    }
  }
}

/** Opens a WebSocket of the platform. */
function connectSocket(
  url: URL,
  _headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<WebSocketLike> {
  return new Promise((resolve, reject) => {
    if (!("WebSocket" in globalThis)) {
      reject(lost("this platform has no WebSocket"));
      return;
    }
    let socket: WebSocket;
    try {
      socket = new WebSocket(url.href);
    } catch (error) {
      reject(lost(reasonOf(error), error));
      return;
    }
    const abort = (): void => {
      socket.close();
    };
    signal.addEventListener("abort", abort);
    const failed = ({ code }: { readonly code?: number }): void => {
      signal.removeEventListener("abort", abort);
      const said = code === undefined ? "" : ` (${String(code)})`;
      reject(lost(`the WebSocket could not be opened${said}`));
    };
    socket.addEventListener("close", failed);
    socket.addEventListener("open", () => {
      socket.removeEventListener("close", failed);
      signal.removeEventListener("abort", abort);
      resolve(socket);
    });
  });
}
