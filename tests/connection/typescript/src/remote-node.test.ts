// What Node adds to remote connections: ports, HTTP/2 and cookies.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, get, type Server } from "node:http";
import {
  connect,
  createServer as createHttp2Server,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import {
  CookieJar,
  listen,
  nodeHandler,
  Remote,
  remote,
} from "acp/remote/node";

import {
  client,
  folder,
  hello,
  opening,
  prompt,
  serve,
  session,
} from "./serving.js";
import { isKind, settled } from "./wire.js";

/** Has a server listen, and gives the port. */
async function portOf(http: Server): Promise<number> {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return (http.address() as AddressInfo).port;
}

/** What WebSockets put behind their keys. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

test("a port serves HTTP/2, and HTTP/1.1 where that is wanted", async () => {
  for (const http1 of [true, false]) {
    const listening = await listen(serve({}, { http1 }));
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(opening),
    };
    const { status } = await fetch(listening.url, init);
    assert.equal(status, http1 ? 200 : 505);
    for (const transport of ["http", "websocket", "auto"] as const) {
      const connection = client(remote(listening.url, { transport }));
      await connection.initialize(hello);
      assert.deepEqual(await connection.newSession(folder), session);
      await connection.close();
    }
    await listening.close();
  }
});

test("a server of HTTP/2 does not mind many messages", async () => {
  const listening = await listen(serve());
  const connection = client(remote(listening.url, { transport: "http" }));
  await connection.initialize(hello);
  await connection.newSession(folder);
  // Node ends a connection on which more than 1000 streams were reset.
  for (let times = 0; times < 1200; times += 1) {
    await connection.prompt(prompt);
  }
  await connection.close();
  await listening.close();
});

test("more than one event may be on its way over HTTP/2", async () => {
  const { request } = nodeHandler(serve());
  const http2 = createHttp2Server(request);
  const began = new Promise<ServerHttp2Session>((resolve) => {
    http2.once("session", resolve);
  });
  await new Promise<void>((resolve) => http2.listen(0, "127.0.0.1", resolve));
  const port = String((http2.address() as AddressInfo).port);
  const url = `http://127.0.0.1:${port}/acp`;
  const connection = client(remote(url, { transport: "http" }));
  await connection.initialize(hello);
  const { remoteSettings, state } = await began;
  // Otherwise a server waits for its client after each 64 KiB.
  assert.equal(remoteSettings.initialWindowSize, 256 * 1024);
  assert.ok((state.remoteWindowSize ?? 0) > 8 * 1024 * 1024);
  await connection.close();
  http2.close();
});

test("a remote keeps its cookies for all its connections", async () => {
  const seen: (string | undefined)[] = [];
  const { request, upgrade } = nodeHandler(serve({}, { http1: true }));
  const http = createServer((incoming, response) => {
    seen.push(incoming.headers.cookie);
    response.setHeader("set-cookie", "route=a; Path=/");
    request(incoming, response);
  });
  http.on("upgrade", (incoming, socket, head) => {
    seen.push(incoming.headers.cookie);
    upgrade(incoming, socket, head);
  });
  const url = `http://127.0.0.1:${String(await portOf(http))}/acp`;
  // It finds out that HTTP/2 is not spoken here.
  const agents = new Remote(url, { transport: "http" });
  for (let times = 0; times < 2; times += 1) {
    const connection = client(agents.connect());
    await connection.initialize(hello);
    await connection.close();
  }
  assert.equal(seen[0], undefined);
  assert.deepEqual([...new Set(seen.slice(1))], ["route=a"]);
  http.close();
  http.closeAllConnections();
});

test("a remote keeps its cookies for the next WebSocket, too", async () => {
  const seen: (string | undefined)[] = [];
  const http = createServer();
  http.on("upgrade", ({ headers }, socket) => {
    seen.push(headers.cookie);
    const key = `${headers["sec-websocket-key"] ?? ""}${GUID}`;
    const lines = [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${createHash("sha1").update(key).digest("base64")}`,
      "Set-Cookie: route=a; Path=/acp",
    ];
    socket.end(`${lines.join("\r\n")}\r\n\r\n`);
  });
  const url = `http://127.0.0.1:${String(await portOf(http))}/acp`;
  const agents = new Remote(url, { transport: "websocket" });
  for (let times = 0; times < 2; times += 1) {
    const connection = client(agents.connect());
    await assert.rejects(connection.initialize(hello), isKind("lost"));
  }
  assert.deepEqual(seen, [undefined, "route=a"]);
  http.close();
});

test("nothing is sent to where an answer points", async () => {
  const seen: string[] = [];
  const elsewhere = createServer(({ method }, response) => {
    seen.push(`${String(method)} elsewhere`);
    response.end();
  });
  elsewhere.on("upgrade", (_, socket) => {
    seen.push("a WebSocket elsewhere");
    socket.destroy();
  });
  const location = `http://127.0.0.1:${String(await portOf(elsewhere))}/acp`;
  const http = createServer((_, response) => {
    response.writeHead(307, { location }).end();
  });
  http.on("upgrade", (_, socket) => {
    const head = "HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\n";
    socket.end(`${head}Location: ${location}\r\n\r\n`);
  });
  const url = `http://127.0.0.1:${String(await portOf(http))}/acp`;
  for (const transport of ["http", "websocket"] as const) {
    const connection = client(remote(url, { transport }));
    await assert.rejects(connection.initialize(hello), /307/);
  }
  assert.deepEqual(seen, []);
  for (const server of [elsewhere, http]) {
    server.close();
    server.closeAllConnections();
  }
});

test("too many headers are told of, however many", async () => {
  const listening = await listen(serve());
  const peer = connect(listening.url);
  // More than Node takes by itself.
  const names = Array.from({ length: 200 }, (_, at) => `x-${String(at)}`);
  const more = Object.fromEntries(names.map((name) => [name, "1"]));
  const request = peer.request({ ":path": "/acp", ...more });
  const status = await new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (head) => {
      resolve((head as Record<string, unknown>)[":status"]);
    });
  });
  let said = "";
  for await (const chunk of request.setEncoding("utf8")) said += String(chunk);
  assert.equal(status, 431);
  assert.match(said, /`headers`/);
  peer.close();
  await listening.close();
});

test("a handshake that comes to nothing leaves nothing behind", async () => {
  const server = serve();
  const served = await listen(server);
  // It has no key.
  const headers = { connection: "upgrade", upgrade: "websocket" };
  const status = await new Promise((resolve) => {
    get(served.url, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
  });
  assert.equal(status, 400);
  for (let times = 0; times < 100 && server.connections > 0; times += 1) {
    await settled();
  }
  assert.equal(server.connections, 0);
  await served.close();
});

test("cookies are sent where they belong", async () => {
  const jar = new CookieJar();
  const url = "https://agents.example/acp";
  await jar.set(new URL(url), [
    "host=1; Path=/",
    "all=2; Path=/; Domain=agents.example",
    "foreign=3; Path=/; Domain=example.org",
    "secret=4; Path=/; Secure",
    "elsewhere=5; Path=/other",
    "over=6; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  ]);
  for (const [asked, cookies] of [
    ["wss://agents.example/acp", "host=1; all=2; secret=4"],
    ["http://agents.example/acp", "host=1; all=2"],
    [
      "https://agents.example/other/one",
      "elsewhere=5; host=1; all=2; secret=4",
    ],
    ["http://own.agents.example/acp", "all=2"],
    ["http://example.org/acp", ""],
  ] as const) {
    assert.equal(await jar.get(new URL(asked)), cookies);
  }
});
