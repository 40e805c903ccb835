// Connections over WebSockets: a text frame for each message.

import { ConnectionError, type Pipe } from "../connection.js";
import { oneLine } from "./envelope.js";
import { Inflow } from "./inflow.js";
import { passed, type RemoteLimits } from "./limits.js";
import { lost } from "./refused.js";
import { later, often, Turns } from "./timer.js";

/** A WebSocket, as all platforms have them. */
export interface WebSocketLike {
  /** How many bytes wait to be sent. */
  readonly bufferedAmount: number;
  /** 0 until it is open, 1 while it is, more after that. */
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: SocketEvent) => void,
  ): void;
  /** What some have beside: to pause, and to ask for a sign of life. */
  pause?(): void;
  resume?(): void;
  ping?(): void;
  terminate?(): void;
  on?(type: "pong", listener: () => void): unknown;
}

/** What happened to a WebSocket. */
export interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Who looks at what passes a WebSocket. */
export interface SocketWatch {
  /** Whether the other end may close when it likes, as clients do. */
  readonly mayClose?: boolean;
  /** Sees a line that came in. Gives what is wrong with it, if it is the end. */
  received?(line: string): { answer: string; reason: string } | undefined;
  /** Sees a line that goes out. */
  sent?(line: string): void;
}

/** The codes with which WebSockets are closed. */
const NORMAL = 1000;
export const GONE = 1001;
export const PROTOCOL = 1002;
const POLICY = 1008;
const TOO_BIG = 1009;

/** What is said of a message over the limit. */
const TOO_LONG = passed("body", "the message is too long");

/** How many bytes wait before whoever sends has to. */
const HIGH = 256 * 1024;

/** How often it is looked whether they still do, in milliseconds. */
const POLL = 5;

/** How long the other end has to close, too. */
const GRACE = 2000;

/** A connection over a WebSocket that is open. */
export class SocketPipe implements Pipe {
  readonly #socket: WebSocketLike;
  readonly #limits: RemoteLimits;
  readonly #watch: SocketWatch;
  readonly #inflow: Inflow = new Inflow();
  readonly #closed: Promise<void>;
  #isAlive = true;
  #isHeld = false;
  readonly #turns: Turns = new Turns();
  #trouble: string | undefined;

  constructor(
    socket: WebSocketLike,
    limits: RemoteLimits,
    watch: SocketWatch = {},
  ) {
    this.#socket = socket;
    this.#limits = limits;
    this.#watch = watch;
    socket.addEventListener("message", ({ data }) => {
      this.#message(data);
    });
    socket.addEventListener("error", ({ message }) => {
      const isLong = message === "Max payload size exceeded";
      this.#trouble ??= isLong ? TOO_LONG : message;
      // Those that can do more than browsers' wait for the other end then.
      if (socket.terminate === undefined) return;
      this.#inflow.end(lost(this.#why({})));
      this.#terminate();
    });
    const stopPings = this.#ping();
    this.#closed = new Promise((resolve) => {
      socket.addEventListener("close", (event) => {
        stopPings();
        this.#inflow.end(this.#closing(event));
        resolve();
      });
    });
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
    if (!this.#isHeld || this.#inflow.isPaused) return;
    this.#isHeld = false;
    this.#isAlive = true;
    this.#socket.resume?.();
  }

  cancel(): void {
    this.#inflow.stop();
  }

  async write(text: string): Promise<void> {
    const socket = this.#socket;
    for (const line of text.split("\n")) {
      if (line === "") continue;
      if (socket.readyState > 1) throw lost(this.#why({}));
      this.#watch.sent?.(line);
      socket.send(line);
      this.#turns.count += 1;
    }
    await this.#turns.take();
    while (socket.bufferedAmount > HIGH && socket.readyState === 1) {
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }

  async close(): Promise<void> {
    if (this.#isHeld) this.#socket.resume?.();
    this.#shut(NORMAL, "");
    await this.#closed;
  }

  /** Ends the connection for a reason, which the other end is told, too. */
  stop(code: number, reason: string): void {
    this.#trouble ??= reason;
    this.#shut(code, reason);
    this.#inflow.stop(lost(reason));
  }

  #message(data: unknown): void {
    this.#isAlive = true;
    if (typeof data !== "string") return;
    const { body, buffered } = this.#limits;
    if (isLonger(data, body)) {
      this.stop(TOO_BIG, TOO_LONG);
      return;
    }
    const line = oneLine(data);
    const wrong = this.#watch.received?.(line);
    if (wrong !== undefined) {
      this.#socket.send(wrong.answer);
      this.stop(PROTOCOL, wrong.reason);
      return;
    }
    // A blank one would be none.
    if (line.trim() === "") this.#inflow.push("\u0001");
    else this.#inflow.push(line);
    if (!this.#inflow.isPaused || this.#inflow.waiting <= buffered) return;
    if (this.#socket.pause === undefined) {
      this.stop(POLICY, passed("buffered", "too much waits"));
    } else {
      this.#isHeld = true;
      this.#socket.pause();
    }
  }

  /** Asks for signs of life, where that is possible; gives what ends it. */
  #ping(): () => void {
    const socket = this.#socket;
    if (socket.ping === undefined) return () => undefined;
    socket.on?.("pong", () => {
      this.#isAlive = true;
    });
    return often(this.#limits.ping, () => {
      if (this.#isHeld || socket.readyState !== 1) return;
      if (this.#isAlive) {
        this.#isAlive = false;
        socket.ping?.();
        return;
      }
      this.stop(GONE, passed("ping", "no sign of life"));
      socket.terminate?.();
    });
  }

  #shut(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket.readyState > 1) return;
    try {
      socket.close(code, shortened(reason));
    } catch {
      // Browsers have only these codes.
      socket.close(code === NORMAL ? code : code + 3000, shortened(reason));
    }
    this.#terminate();
  }

  /** Gives the other end some time to close, too. */
  #terminate(): void {
    const stop = later(GRACE, () => this.#socket.terminate?.());
    void this.#closed.then(stop);
  }

  #closing(event: SocketEvent): ConnectionError {
    const isOrderly = event.code === NORMAL && this.#trouble === undefined;
    if (!isOrderly || this.#watch.mayClose !== true) {
      return lost(this.#why(event));
    }
    const said = (event.reason ?? "") === "" ? "" : `: ${event.reason ?? ""}`;
    const message = `connection closed: the peer closed the WebSocket${said}`;
    return new ConnectionError("closed", message);
  }

  #why({ code, reason }: SocketEvent): string {
    const said = this.#trouble ?? reason ?? "";
    const details = [code, said].filter((it) => it !== undefined && it !== "");
    return details.length === 0
      ? "the WebSocket was closed"
      : `the WebSocket was closed: ${details.join(" ")}`;
  }
}

/** Whether a text has more bytes than this. */
function isLonger(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return new TextEncoder().encode(text).length > limit;
}

/** As much of a text as fits. */
function shortened(reason: string): string {
  return reason.slice(0, 40 * 3).replace(/[^\x20-\x7e]/g, "?");
}
