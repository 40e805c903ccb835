// Requests over HTTP/2, also without TLS.

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from "node:http2";

import { readable } from "../../node/streams.js";
import { later } from "../timer.js";

/** How long a server may take to say that it speaks HTTP/2, in milliseconds. */
const HELLO = 5000;

/** How long a session is kept that nobody uses. */
const IDLE = 30_000;

/** How many bytes may be on their way in a stream, and in all of them. */
const STREAM_WINDOW = 256 * 1024;
const WINDOW = 16 * 1024 * 1024;

/**
 * Sends requests over HTTP/2. What a server does not speak is left to the
 * `fetch` of the platform.
 */
export function http2Fetch(): typeof fetch {
  const sessions = new Map<string, Promise<Session | undefined>>();
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { origin } = url;
    let opening = sessions.get(origin);
    if (opening === undefined) {
      opening = Session.open(url, () => {
        sessions.delete(origin);
      });
      sessions.set(origin, opening);
      opening.catch(() => sessions.delete(origin));
    }
    const session = await opening;
    return session === undefined
      ? fetch(input, init)
      : session.request(url, init ?? {});
  };
}

/** A session with a server. */
class Session {
  readonly #session: ClientHttp2Session;
  #active = 0;
  #stopTimer: (() => void) | undefined;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  /** Gives none if the server does not speak HTTP/2. */
  static open(url: URL, gone: () => void): Promise<Session | undefined> {
    return new Promise((resolve, reject) => {
      const settings = { initialWindowSize: STREAM_WINDOW };
      const session = connect(url, { settings });
      session.once("connect", () => {
        session.setLocalWindowSize(WINDOW);
      });
      const stop = later(HELLO, () => {
        session.destroy();
        resolve(undefined);
      });
      session.on("error", (error: NodeJS.ErrnoException) => {
        stop();
        const { syscall } = error;
        if (syscall === "connect" || syscall === "getaddrinfo") reject(error);
        else resolve(undefined);
      });
      session.once("close", () => {
        stop();
        resolve(undefined);
      });
      session.once("remoteSettings", () => {
        stop();
        // From now on it is to be opened anew.
        session.once("close", gone);
        session.once("goaway", gone);
        resolve(new Session(session));
      });
    });
  }

  request(url: URL, init: RequestInit): Promise<Response> {
    const { body, signal, method } = init;
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    const headers: Record<string, string> = {};
    for (const [name, value] of new Headers(init.headers))
      headers[name] = value;
    const stream = this.#session.request({
      ...headers,
      ":method": method ?? "GET",
      ":path": url.pathname + url.search,
    });
    this.#use(stream);
    const abort = (): void => {
      stream.destroy(signal ? reasonOf(signal) : undefined);
    };
    signal?.addEventListener("abort", abort);
    stream.once("close", () => {
      signal?.removeEventListener("abort", abort);
    });
    stream.end(typeof body === "string" ? body : undefined);
    return answer(stream);
  }

  /** Keeps the process alive while there are requests. */
  #use(stream: ClientHttp2Stream): void {
    this.#stopTimer?.();
    if (this.#active === 0) this.#session.ref();
    this.#active += 1;
    stream.once("close", () => {
      this.#active -= 1;
      if (this.#active > 0) return;
      this.#session.unref();
      this.#stopTimer = later(IDLE, () => {
        this.#session.close();
      });
    });
  }
}

function answer(stream: ClientHttp2Stream): Promise<Response> {
  return new Promise((resolve, reject) => {
    stream.on("error", reject);
    stream.once("close", () => {
      reject(new Error("the server closed the connection"));
    });
    stream.once("response", (head: IncomingHttpHeaders) => {
      const status = Number((head as Record<string, unknown>)[":status"]);
      const headers = new Headers();
      for (const [name, value] of Object.entries(head)) {
        if (name.startsWith(":")) continue;
        const values = Array.isArray(value) ? value : [value ?? ""];
        for (const each of values) headers.append(name, each);
      }
      const isEmpty =
        stream.endAfterHeaders ||
        status === 204 ||
        status === 205 ||
        status === 304;
      if (isEmpty) stream.resume();
      // What is broken off is no answer, nor the end of one.
      stream.prependOnceListener("end", () => {
        const message = "the connection ended within an answer";
        if (stream.rstCode !== 0) stream.emit("error", new Error(message));
      });
      const body = isEmpty ? null : readable(stream);
      resolve(new Response(body, { status, headers }));
    });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}
