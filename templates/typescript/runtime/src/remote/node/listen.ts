// Listens on a port for HTTP/2, HTTP/1.1 and WebSockets.

import { createServer as createHttp1, type Server } from "node:http";
import {
  createSecureServer,
  createServer as createHttp2,
  type Http2SecureServer,
  type Http2Server,
  type SecureServerOptions,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";

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
    handshakeTimeout: server.limits.reading,
    ...settings(server),
    ...tls,
    allowHTTP1: true,
  });
  // Where a client speaks HTTP/1.1, it is a server of that, too.
  limitHeads(front as unknown as Server, server);
  limitSessions(front, server);
  front.on("request", request);
  front.on("upgrade", upgrade);
  return front as unknown as Front;
}

/** Tells HTTP/2 and HTTP/1.1 apart by the first bytes. */
function plain(server: RemoteServer): Front {
  const { request, upgrade } = nodeHandler(server);
  const { reading } = server.limits;
  const http2 = createHttp2(settings(server));
  limitSessions(http2, server);
  http2.on("request", request);
  http2.on("sessionError", () => undefined);
  const front = createHttp1({ connectionsCheckingInterval: often(reading) });
  limitHeads(front, server);
  front.on("request", request);
  front.on("upgrade", upgrade);
  const http1 = front.listeners("connection");
  front.removeAllListeners("connection");
  front.on("connection", (socket: Socket) => {
    const fail = (): void => {
      socket.destroy();
    };
    // Who ends it is gone: a server of HTTP/1.1 would wait.
    socket.allowHalfOpen = false;
    socket.setTimeout(reading, fail);
    socket.on("error", fail);
    let bytes: Buffer = Buffer.alloc(0);
    const look = (): void => {
      const read = socket.read() as Buffer | null;
      if (read === null) return;
      bytes = Buffer.concat([bytes, read]);
      const begin = bytes.toString("latin1", 0, PREFACE.length);
      // It may go on either way.
      if (begin !== PREFACE && PREFACE.startsWith(begin)) return;
      socket.unshift(bytes);
      socket.removeListener("readable", look);
      socket.removeListener("timeout", fail);
      socket.setTimeout(0);
      if (begin === PREFACE) http2.emit("connection", socket);
      else for (const serve of http1) serve.call(front, socket);
    };
    socket.on("readable", look);
  });
  return front;
}

/** How long the head of a request of HTTP/1.1 may take. */
function limitHeads(front: Server, { limits }: RemoteServer): void {
  front.headersTimeout = limits.reading;
  // How long a body may take depends on what comes of it.
  front.requestTimeout = 0;
}

/** How long a session of HTTP/2 may last in which nothing comes or goes. */
function limitSessions(
  front: Http2Server | Http2SecureServer,
  { limits }: RemoteServer,
): void {
  const { reading, idle, keepAlive } = limits;
  front.on("session", (session) => {
    const end = (): void => {
      session.destroy();
    };
    session.setTimeout(reading, end);
    session.once("stream", () => {
      // A stream of events that is alive says so.
      session.setTimeout(Math.max(idle, 2 * keepAlive), end);
    });
  });
}

/** How often is looked whether a time is over. */
function often(time: number): number {
  return Math.max(Math.min(time, 30_000) / 2, 10);
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
