// A server behind those of Node.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { wrong } from "../answers.js";
import type { RemoteServer } from "../server.js";
import { cork } from "./cork.js";
import { optional, type Ws, type WsServer } from "./optional.js";
import {
  infoOf,
  type NodeRequest,
  type NodeResponse,
  requestOf,
  send,
  sendRaw,
} from "./request.js";

/** What the servers of `node:http` and `node:http2` call. */
export interface NodeHandler {
  /** For the event `request`. */
  readonly request: (request: NodeRequest, response: NodeResponse) => void;
  /** For the event `upgrade`. */
  readonly upgrade: (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ) => void;
}

/** Has a server answer what the servers of Node get. */
export function nodeHandler(server: RemoteServer): NodeHandler {
  const sockets = new Sockets(server);
  return {
    request(request, response) {
      answer(server, request, response).catch(() => response.destroy());
    },
    upgrade(request, socket, head) {
      // Who left is not told anything.
      socket.on("error", () => socket.destroy());
      sockets.upgrade(request, socket, head).catch(() => socket.destroy());
    },
  };
}

async function answer(
  server: RemoteServer,
  request: NodeRequest,
  response: NodeResponse,
): Promise<void> {
  const abort = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) abort.abort();
  });
  const incoming = requestOf(request, abort.signal);
  const found =
    incoming === undefined
      ? wrong({ status: 400, message: "the address is none" })
      : await server.fetch(incoming, infoOf(request));
  await send(found, request, response);
}

/** Opens WebSockets by `ws`. */
class Sockets {
  readonly #server: RemoteServer;
  readonly #headers: WeakMap<
    IncomingMessage,
    Readonly<Record<string, string>>
  > = new WeakMap();
  #ws: Promise<WsServer> | undefined;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  async upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const { signal } = new AbortController();
    const incoming = requestOf(request, signal);
    const isWebSocket =
      request.method === "GET" &&
      request.headers.upgrade?.toLowerCase() === "websocket";
    if (incoming === undefined || !isWebSocket) {
      const message = "this is no upgrade to WebSocket";
      await sendRaw(wrong({ status: 400, message }), socket);
      return;
    }
    this.#ws ??= this.#open();
    const ws = await this.#ws;
    const upgrade = await this.#server.upgrade(incoming, infoOf(request));
    if (upgrade instanceof Response) {
      await sendRaw(upgrade, socket);
      return;
    }
    const cancel = (): void => {
      upgrade.cancel();
    };
    socket.once("close", cancel);
    this.#headers.set(request, upgrade.headers);
    ws.handleUpgrade(request, socket, head, (opened) => {
      socket.removeListener("close", cancel);
      cork(opened, socket);
      upgrade.accept(opened);
    });
  }

  async #open(): Promise<WsServer> {
    const { WebSocketServer } = await optional<Ws>("ws", "serving WebSockets");
    const maxPayload = this.#server.limits.body;
    const ws = new WebSocketServer({ noServer: true, maxPayload });
    ws.on("headers", (headers, request) => {
      const own = this.#headers.get(request) ?? {};
      for (const [name, value] of Object.entries(own)) {
        headers.push(`${name}: ${value}`);
      }
    });
    return ws;
  }
}
