// Requests of Node as those of the web, and answers back.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Duplex } from "node:stream";

import type { IncomingRequest, RequestInfo } from "../access.js";
import { later } from "../timer.js";

export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** How long what nobody reads may go on, in milliseconds. */
const GRACE = 1000;

/** A request as one of the web; `undefined` if its address is none. */
export function requestOf(
  request: NodeRequest,
  signal: AbortSignal,
): IncomingRequest | undefined {
  const headers = new Headers();
  const raw = request.rawHeaders;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    if (!name.startsWith(":")) headers.append(name, raw[at + 1] ?? "");
  }
  const authority = request.headers[":authority"];
  const isSaid = headers.get("host") === authority;
  if (typeof authority === "string" && !isSaid) {
    headers.append("host", authority);
  }
  // Who names no host is not taken for somebody who named this one.
  if (!headers.has("host")) headers.set("host", "");
  const scheme = "encrypted" in request.socket ? "https" : "http";
  const host = headers.get("host") || "localhost";
  const { method = "GET", url: path = "/" } = request;
  let url: string;
  try {
    ({ href: url } = new URL(`${scheme}://${host}${path}`));
  } catch {
    return undefined;
  }
  return { method, url, headers, body: bodyOf(request), signal };
}

/** What is known of a request beside. */
export function infoOf({ socket, httpVersionMajor }: NodeRequest): RequestInfo {
  const version = httpVersionMajor === 2 ? "2" : "1.1";
  return { address: socket.remoteAddress, version };
}

/** The body, which may be left unread: the answer still goes out. */
function bodyOf(request: NodeRequest): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (failure?: Error): void => {
          if (isOver) return;
          isOver = true;
          if (failure === undefined) controller.close();
          else controller.error(failure);
        };
        request.on("data", (bytes: Uint8Array) => {
          if (isOver) return;
          controller.enqueue(bytes);
          request.pause();
        });
        request.on("end", () => {
          end();
        });
        request.on("error", end);
        request.on("close", () => {
          end(new Error("the request broke off"));
        });
        request.pause();
      },
      pull() {
        request.resume();
      },
      cancel() {
        // What still comes is for nobody, its end included.
        isOver = true;
        request.removeAllListeners("data");
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Sends an answer. */
export async function send(
  answer: Response,
  request: NodeRequest,
  to: NodeResponse,
): Promise<void> {
  // The two kinds have the same methods, of different types.
  const response = to as ServerResponse;
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name !== "set-cookie") response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.on("error", () => undefined);
  const reader = answer.body?.getReader();
  if (reader !== undefined) {
    response.writeHead(answer.status);
    const closed = new Promise<void>((resolve) => {
      response.once("close", resolve);
    });
    void closed.then(() => reader.cancel().catch(() => undefined));
    await pump(reader, response, closed);
  }
  response.end();
  if (request.complete) return;
  // Nobody waits for the rest of what was not read.
  later(GRACE, () => {
    if (!request.complete) request.destroy();
  });
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  response: ServerResponse,
  closed: Promise<void>,
): Promise<void> {
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      if (response.write(value)) continue;
      const drained = new Promise<void>((resolve) => {
        response.once("drain", resolve);
      });
      await Promise.race([drained, closed]);
    }
  } catch {
    response.destroy();
  }
}

/** Sends an answer to a request for an upgrade. */
export async function sendRaw(answer: Response, socket: Duplex): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  let head = `HTTP/1.1 ${String(answer.status)} \r\n`;
  for (const [name, value] of answer.headers) head += `${name}: ${value}\r\n`;
  head += `content-length: ${String(body.length)}\r\nconnection: close\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head, "latin1"), body]));
}
