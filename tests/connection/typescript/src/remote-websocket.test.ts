// Connections over WebSockets.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import * as portable from "acp/remote";
import {
  nodeHandler,
  remote,
  type SocketEvent,
  type WebSocketLike,
} from "acp/remote/node";

import {
  chunk,
  client,
  folder,
  hello,
  opening,
  prompt,
  serve,
  session,
  URL_OF,
} from "./serving.js";
import { gate, isKind, settled } from "./wire.js";

/** Two ends of a WebSocket, as platforms give them. */
function sockets(): [WebSocketLike, WebSocketLike] {
  class Socket implements WebSocketLike {
    readonly bufferedAmount = 0;
    readyState = 1;
    other: Socket | undefined;
    readonly #listeners = new Map<string, ((event: SocketEvent) => void)[]>();

    send(data: string) {
      queueMicrotask(() => this.other?.fire("message", { data }));
    }

    close(code = 1005, reason = "") {
      // Browsers take no others.
      if (code !== 1000 && code < 3000) throw new Error("code");
      for (const end of [this, this.other]) {
        if (end === undefined || end.readyState === 3) continue;
        end.readyState = 3;
        queueMicrotask(() => {
          end.fire("close", { code, reason });
        });
      }
    }

    addEventListener(type: string, listener: (event: SocketEvent) => void) {
      const listeners = this.#listeners.get(type) ?? [];
      this.#listeners.set(type, [...listeners, listener]);
    }

    fire(type: string, event: SocketEvent) {
      for (const listener of this.#listeners.get(type) ?? []) listener(event);
    }
  }
  const [here, there] = [new Socket(), new Socket()];
  [here.other, there.other] = [there, here];
  return [here, there];
}

test("a server takes the WebSockets of any platform", async () => {
  const server = serve();
  const connectSocket = () => {
    const [here, there] = sockets();
    void server.accept(there, new Request(URL_OF));
    return Promise.resolve(here);
  };
  const transport = "websocket";
  const connection = client(
    portable.remote(URL_OF, { transport, connectSocket }),
  );
  await connection.initialize(hello);
  assert.deepEqual(await connection.newSession(folder), session);
  await server.close();
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), isKind("lost"));
  await assert.rejects(connection.prompt(prompt), /shuts down/);
  const [here, there] = sockets();
  let code: number | undefined;
  here.addEventListener("close", (event) => ({ code } = event));
  await server.accept(there, new Request(URL_OF));
  await settled();
  assert.equal(code, 4008);
});

test("the limit of a message counts bytes on any platform", async () => {
  for (const text of ["y".repeat(2000), "ä".repeat(600)]) {
    const server = serve({}, { limits: { body: 1000 } });
    const [here, there] = sockets();
    let closed: SocketEvent = {};
    here.addEventListener("close", (event) => {
      closed = event;
    });
    await server.accept(there, new Request(URL_OF));
    here.send(JSON.stringify(opening));
    await settled();
    assert.equal(closed.code, undefined);
    here.send(JSON.stringify({ ...opening, id: text }));
    await settled();
    assert.equal(closed.code, 4009);
    assert.match(closed.reason ?? "", /`body`/);
    await server.close();
  }
});

test("a WebSocket waits for a connection that takes no more", async () => {
  for (const canWait of [true, false]) {
    const slow = gate();
    const server = serve(
      {
        async extMethod() {
          await slow.opened;
          return {};
        },
      },
      {
        connection: { maxRequests: 1, maxBuffered: 1 },
        limits: { buffered: 1000 },
      },
    );
    const [here, there] = sockets();
    const calls: string[] = [];
    if (canWait) {
      there.pause = () => calls.push("pause");
      there.resume = () => calls.push("resume");
    }
    let closed: SocketEvent = {};
    here.addEventListener("close", (event) => {
      closed = event;
    });
    await server.accept(there, new Request(URL_OF));
    here.send(JSON.stringify(opening));
    await settled();
    for (let id = 1; id <= 10; id += 1) {
      const params = { x: "y".repeat(400) };
      here.send(JSON.stringify({ ...opening, id, method: "_x", params }));
    }
    await settled();
    if (canWait) {
      assert.equal(calls[0], "pause");
      slow.open();
      await settled();
      assert.equal(calls.at(-1), "resume");
      assert.equal(closed.code, undefined);
    } else {
      assert.equal(closed.code, 4008);
      assert.match(closed.reason ?? "", /`buffered`/);
      slow.open();
    }
    await server.close();
  }
});

test("who is not read is not asked for a sign of life", async () => {
  const slow = gate();
  const server = serve(
    {
      async extMethod() {
        await slow.opened;
        return {};
      },
    },
    {
      connection: { maxRequests: 1, maxBuffered: 1 },
      limits: { buffered: 1000, ping: 50 },
    },
  );
  const [here, there] = sockets();
  let pings = 0;
  there.ping = () => {
    pings += 1;
  };
  const paused = gate();
  there.pause = paused.open;
  there.resume = () => undefined;
  await server.accept(there, new Request(URL_OF));
  here.send(JSON.stringify(opening));
  for (let id = 1; id <= 10; id += 1) {
    const params = { x: "y".repeat(400) };
    here.send(JSON.stringify({ ...opening, id, method: "_x", params }));
  }
  await paused.opened;
  const before = pings;
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(pings, before);
  assert.equal(there.readyState, 1);
  slow.open();
  await server.close();
});

test("a client that gives no sign of life is told which limit that is", async () => {
  const server = serve({}, { limits: { ping: 5 } });
  const [here, there] = sockets();
  there.ping = () => undefined;
  const closed = new Promise<SocketEvent>((resolve) => {
    here.addEventListener("close", resolve);
  });
  await server.accept(there, new Request(URL_OF));
  here.send(JSON.stringify(opening));
  while (server.connections > 0) await settled();
  const { code, reason } = await closed;
  assert.equal(code, 4001);
  assert.match(reason ?? "", /`ping`/);
});

test("what a WebSocket sends in one go is written in one go", async () => {
  const count = 200;
  let writes = 0;
  let seen = 0;
  const server = serve({
    async prompt(_, { client }) {
      for (let number = 0; number < count; number += 1) {
        await client.sessionUpdate(chunk(number));
      }
      return { stopReason: "end_turn" };
    },
  });
  const { request, upgrade } = nodeHandler(server);
  const http = createServer(request);
  http.on("upgrade", (incoming, socket, head) => {
    const write = socket._write.bind(socket);
    const writev = socket._writev?.bind(socket);
    socket._write = (...all) => {
      writes += 1;
      write(...all);
    };
    socket._writev = (...all) => {
      writes += 1;
      writev?.(...all);
    };
    upgrade(incoming, socket, head);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}/acp`;
  const connection = client(remote(url, { transport: "websocket" }), {
    sessionUpdate() {
      seen += 1;
    },
  });
  await connection.initialize(hello);
  await connection.newSession(folder);
  await connection.prompt(prompt);
  assert.equal(seen, count);
  assert.ok(writes > 0 && writes < count / 4, String(writes));
  await connection.close();
  http.close();
});
