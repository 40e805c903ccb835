// Conversations over HTTP, as a client sees them.
//
// What passes between the ends is judged by tests/remote.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";

import { ndJsonStream } from "acp";
import * as portable from "acp/remote";

import {
  calling,
  chunk,
  client,
  folder,
  hello,
  overHttp,
  prompt,
  serve,
  session,
  text,
  URL_OF,
} from "./serving.js";
import { done, gate, isKind, settled } from "./wire.js";

test("a conversation needs only fetch", async () => {
  const server = serve({
    async prompt(_, { client }) {
      await client.sessionUpdate(chunk("said"));
      const { content } = await client.readTextFile({ ...session, path: "/f" });
      await client.sessionUpdate(chunk(content));
      return { stopReason: "end_turn" };
    },
  });
  const said: string[] = [];
  const connection = overHttp(server, {
    sessionUpdate({ update }) {
      if ("content" in update) said.push(JSON.stringify(update.content));
    },
    readTextFile: () => ({ content: "read" }),
  });
  const clientCapabilities = { fs: { readTextFile: true } };
  await connection.initialize({ ...hello, clientCapabilities });
  await connection.newSession(folder);
  assert.deepEqual(await connection.prompt(prompt), done);
  assert.deepEqual(
    said,
    [text("said"), text("read")].map((it) => JSON.stringify(it)),
  );
  assert.equal(server.connections, 1);
  await connection.close();
  await settled();
  assert.equal(server.connections, 0);
});

test("nothing adds up on a signal, request by request", async () => {
  const server = serve();
  const send = calling(() => server);
  let listeners = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { signal } = init ?? {};
    assert.ok(signal);
    listeners += getEventListeners(signal, "abort").length;
    return send(input, init);
  };
  const connection = client(
    portable.remote(URL_OF, { transport: "http", fetch }),
  );
  await connection.initialize(hello);
  await connection.newSession(folder);
  for (let left = 20; left > 0; left -= 1) await connection.prompt(prompt);
  assert.equal(listeners, 0);
  await connection.close();
});

test("a batch is sent call by call", async () => {
  const server = serve({ extMethod: (method) => ({ method }) });
  const connection = overHttp(server);
  await connection.initialize(hello);
  const calls = connection.batch((batch) => [
    batch.extMethod("_a", {}),
    batch.extMethod("_b", {}),
  ]);
  assert.deepEqual(await Promise.all(calls), [
    { method: "_a" },
    { method: "_b" },
  ]);
  await connection.close();
});

test("what is posted is handled once", async () => {
  let cancels = 0;
  const server = serve({
    cancel() {
      cancels += 1;
    },
  });
  const connection = overHttp(server);
  await connection.initialize(hello);
  await connection.newSession(folder);
  for (let times = 0; times < 3; times += 1) await connection.cancel(session);
  await connection.prompt(prompt);
  assert.equal(cancels, 3);
  await connection.close();
});

test("what a session replays comes before the answer that loads it", async () => {
  const server = serve({
    async loadSession(_, { client }) {
      for (let at = 0; at < 500; at += 1) await client.sessionUpdate(chunk(at));
    },
  });
  let updates = 0;
  const connection = overHttp(server, {
    async sessionUpdate() {
      if (updates % 100 === 0) await settled();
      updates += 1;
    },
  });
  await connection.initialize(hello);
  await connection.loadSession({ ...session, ...folder });
  assert.equal(updates, 500);
  await connection.close();
});

test("a client that is slow reads no more than it can hold", async () => {
  const count = 2000;
  let said = 0;
  const server = serve(
    {
      async prompt(_, { client }) {
        for (; said < count; said += 1) {
          await client.sessionUpdate(chunk("x".repeat(10_000)));
        }
        return { stopReason: "end_turn" };
      },
    },
    { limits: { buffered: 100_000 } },
  );
  const slow = gate();
  let updates = 0;
  const connection = overHttp(server, {
    async sessionUpdate() {
      await slow.opened;
      updates += 1;
    },
  });
  await connection.initialize(hello);
  await connection.newSession(folder);
  const turn = connection.prompt(prompt);
  let before = -1;
  while (said > before) {
    before = said;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(said < count, String(said));
  slow.open();
  assert.deepEqual(await turn, done);
  assert.equal(updates, count);
  await connection.close();
});

test("what is said of a session before it is known reaches its stream", async () => {
  const server = serve({
    async newSession(_, { client }) {
      await client.sessionUpdate(chunk("early"));
      return session;
    },
  });
  let updates = 0;
  const count = () => {
    updates += 1;
  };
  const connection = overHttp(server, { sessionUpdate: count });
  await connection.initialize(hello);
  await connection.newSession(folder);
  await connection.prompt(prompt);
  assert.equal(updates, 1);
  await connection.close();
});

test("a session that was closed can be opened again", async () => {
  const server = serve();
  const connection = overHttp(server);
  await connection.initialize(hello);
  for (let times = 0; times < 3; times += 1) {
    await connection.newSession(folder);
    await connection.prompt(prompt);
    await connection.closeSession(session);
    await settled();
  }
  assert.equal(connection.signal.aborted, false);
  await connection.close();
});

test("a session whose stream ends takes no other calls along", async () => {
  const slow = gate();
  const server = serve({
    prompt: () => new Promise(() => {}),
    async extMethod() {
      await slow.opened;
      return {};
    },
  });
  const call = calling(() => server);
  const cuts: (() => void)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await call(input, init);
    const isSession = new Headers(init?.headers).has("Acp-Session-Id");
    if (init?.method !== "GET" || !isSession) return response;
    const wire = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        cuts.push(() => {
          controller.terminate();
        });
      },
    });
    return new Response(response.body?.pipeThrough(wire) ?? null);
  };
  const connection = client(
    portable.remote(URL_OF, { transport: "http", fetch }),
  );
  await connection.initialize(hello);
  await connection.newSession(folder);
  const other = connection.extMethod("_slow", {});
  const turn = connection.prompt(prompt);
  await settled();
  for (const cut of cuts) cut();
  await assert.rejects(turn, isKind("lost"));
  // It is not opened again by itself.
  await assert.rejects(connection.prompt(prompt), isKind("lost"));
  assert.equal(cuts.length, 1);
  slow.open();
  assert.deepEqual(await other, {});
  await connection.close();
});

test("bytes may come in any pieces", async () => {
  const server = serve();
  const split = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      for (let at = 0; at < bytes.length; at += 1) {
        controller.enqueue(bytes.subarray(at, at + 1));
      }
    },
  });
  let isFirst = true;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await server.fetch(new Request(input, init));
    const isStream = init?.method === "GET" && isFirst;
    if (!isStream || response.body === null) return response;
    isFirst = false;
    return new Response(response.body.pipeThrough(split));
  };
  const stream = portable.remote(URL_OF, { transport: "http", fetch });
  const connection = client(stream);
  await connection.initialize(hello);
  assert.deepEqual(await connection.newSession(folder), session);
  await connection.close();
});

test("a stream is also a pair of streams of the web", async () => {
  const server = serve();
  const fetch = calling(() => server);
  const { readable, writable } = portable.remote(URL_OF, {
    transport: "http",
    fetch,
  });
  const connection = client(
    ndJsonStream(writable, readable) as portable.RemoteStream,
  );
  await connection.initialize(hello);
  assert.deepEqual(await connection.newSession(folder), session);
  await connection.close();
});
