// Listens on a port for HTTP/2, HTTP/1.1 and WebSockets.

import { createServer as createHttp1, type Server } from "node:http";
import {
  createSecureServer,
  createServer as createHttp2,
  type SecureServerOptions,
} from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";

import type { RemoteServer } from "../server.js";
import { later } from "../timer.js";
import { nodeHandler } from "./handler.js";

/** Where to listen. */
export interface ListenOptions {
  /**
   * The port; 0 means one that is free.
   *
   * @default 0
   */
  readonly port?: number;
  /**
   * The address.
   *
   * @default "127.0.0.1", which only this machine reaches
   */
  readonly host?: string;
  /** The certificate and its key, and what else TLS takes. */
  readonly tls?: SecureServerOptions;
}

/** A port that is listened on. */
export interface Listening {
  readonly port: number;
  /** The address of the endpoint. */
  readonly url: string;
  /** Ends all connections, and listens no more. */
  close(): Promise<void>;
  /**
   * The same, once what was asked is answered or this time is over, in
   * milliseconds.
   */
  drain(timeout: number): Promise<void>;
}

/** How long sockets have at the end, in milliseconds. */
const GRACE = 500;

/** How long a socket may say nothing at its beginning. */
const SILENCE = 30_000;

/** Listens on a port, and has a server answer what comes. */
export async function listen(
  server: RemoteServer,
  options: ListenOptions = {},
): Promise<Listening> {
  const { port = 0, host = "127.0.0.1", tls } = options;
  const front = tls === undefined ? plain(server) : secure(server, tls);
  const sockets = new Set<Socket>();
  front.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    front.once("error", reject);
    front.listen(port, host, resolve);
  });
  const close = async (): Promise<void> => {
    await server.close();
    const closed = new Promise((resolve) => front.close(resolve));
    const stop = later(GRACE, () => {
      for (const socket of sockets) socket.destroy();
    });
    await closed;
    stop();
  };
  const { port: bound } = front.address() as AddressInfo;
  const scheme = tls === undefined ? "http" : "https";
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    port: bound,
    url: `${scheme}://${name}:${String(bound)}${server.path}`,
    close,
    async drain(timeout) {
      await server.drain(timeout);
      await close();
    },
  };
}

/** What can be listened with. */
type Front = Pick<Server, "on" | "once" | "listen" | "close" | "address">;

function secure(server: RemoteServer, tls: SecureServerOptions): Front {
  const { request, upgrade } = nodeHandler(server);
  const front = createSecureServer({
    ...settings(server),
    ...tls,
    allowHTTP1: true,
  });
  front.on("request", request);
  front.on("upgrade", upgrade);
  return front as unknown as Front;
}

/** Tells HTTP/2 and HTTP/1.1 apart by the first bytes. */
function plain(server: RemoteServer): Front {
  const { request, upgrade } = nodeHandler(server);
  const http1 = createHttp1();
  http1.on("request", request);
  http1.on("upgrade", upgrade);
  const http2 = createHttp2(settings(server));
  http2.on("request", request);
  http2.on("sessionError", () => undefined);
  return createServer((socket) => {
    const fail = (): void => {
      socket.destroy();
    };
    socket.setTimeout(SILENCE, fail);
    socket.on("error", fail);
    const look = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      const begin = bytes.toString("latin1", 0, PREFACE.length);
      socket.unshift(bytes);
      // It may go on either way.
      if (begin !== PREFACE && PREFACE.startsWith(begin)) return;
      socket.removeListener("readable", look);
      socket.removeListener("timeout", fail);
      socket.setTimeout(0);
      (begin === PREFACE ? http2 : http1).emit("connection", socket);
    };
    socket.on("readable", look);
  }) as unknown as Front;
}

/** How HTTP/2 begins, and no method of HTTP/1.1 does. */
const PREFACE = "PRI ";

/** What has to be known before requests can be looked at. */
function settings({ limits }: RemoteServer): SecureServerOptions {
  return {
    // More, so that it can be said that there are too many.
    maxHeaderListPairs: 2 * limits.headers + 100,
    // Some clients take a server that says nothing to allow one.
    settings: { maxConcurrentStreams: limits.sessions + 100 },
  };
}
