// Packages that are needed only for some things.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { WebSocketLike } from "../socket.js";

/** What is used of `ws`. */
export interface Ws {
  readonly WebSocket: new (
    url: URL,
    options: Readonly<Record<string, unknown>>,
  ) => WsSocket;
  readonly WebSocketServer: new (
    options: Readonly<Record<string, unknown>>,
  ) => WsServer;
}

/** What is used of its sockets. */
export interface WsSocket extends WebSocketLike {
  on(type: "pong", listener: () => void): unknown;
  on(type: "upgrade", listener: (response: IncomingMessage) => void): unknown;
  on(
    type: "unexpected-response",
    listener: (request: unknown, response: IncomingMessage) => void,
  ): unknown;
}

/** What is used of its servers. */
export interface WsServer {
  on(
    type: "headers",
    listener: (headers: string[], request: IncomingMessage) => void,
  ): unknown;
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    take: (socket: WebSocketLike) => void,
  ): void;
}

/** What is used of `tough-cookie`. */
export interface ToughCookie {
  readonly CookieJar: new () => {
    getCookieString(url: string): Promise<string>;
    setCookie(
      cookie: string,
      url: string,
      options: { readonly ignoreError: boolean },
    ): Promise<unknown>;
  };
}

/** Loads a package; says what it is for if it is not there. */
export async function optional<T>(name: string, purpose: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (cause) {
    const message = `${purpose} needs the package \`${name}\`; install it`;
    throw new Error(message, { cause });
  }
}
