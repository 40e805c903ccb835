// Servers: whom they let in, how much they take, and how they end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Refusal, type ServerOptions } from "acp/remote/node";

import {
  chunk,
  folder,
  hello,
  opening,
  overHttp,
  post,
  prompt,
  serve,
  session,
  text,
  URL_OF,
} from "./serving.js";
import { done, gate, isKind, settled } from "./wire.js";

test("line breaks in a body are those of JSON", async () => {
  const server = serve();
  const good = await post(server, JSON.stringify(opening, null, 2));
  assert.equal(good.status, 200);
  const bad = await post(server, '{"jsonrpc":"2.0","id":0,"method":"a\nb"}');
  assert.equal(bad.status, 400);
  await server.close();
});

test("a connection is only of those who opened it", async () => {
  const identities: unknown[] = [];
  const authenticate: ServerOptions["authenticate"] = ({ headers, path }) => {
    assert.equal(path, "/acp");
    const user = headers.get("x-user");
    return user === null ? new Refusal(401, "who?") : { user };
  };
  const server = serve({}, { authenticate }, ({ identity }) => {
    identities.push(identity);
  });
  const opened = await post(server, opening, { "x-user": "ada" });
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  const next = { jsonrpc: "2.0", id: 1, method: "session/new", params: folder };
  const as = (user: string) => ({ "x-user": user, "Acp-Connection-Id": id });
  assert.equal((await post(server, next, as("eve"))).status, 404);
  assert.equal((await post(server, next, as("ada"))).status, 202);
  const refused = await post(server, opening);
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get("www-authenticate"), "Bearer");
  assert.deepEqual(identities, [{ user: "ada" }]);
  await server.close();
});

test("of an identity that is not plain, only itself is the same", async () => {
  class User {}
  const server = serve({}, { authenticate: () => new User() });
  const opened = await post(server, opening);
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  const message = { jsonrpc: "2.0", method: "session/cancel", params: session };
  const headers = { "Acp-Connection-Id": id, "Acp-Session-Id": "s" };
  assert.equal((await post(server, message, headers)).status, 404);
  await server.close();
});

test("a hook or a factory that throws lets nobody in, and tells nothing", async () => {
  const thrown = () => {
    throw new Error("secret");
  };
  for (const server of [
    serve({}, { authenticate: thrown }),
    serve({}, {}, thrown),
  ]) {
    const answer = await post(server, opening);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /secret/);
    assert.equal(server.connections, 0);
  }
});

test("a connection that takes no more has those wait who post", async () => {
  const slow = gate();
  const connection = { maxRequests: 1, maxBuffered: 1 };
  const limits = { buffered: 1000 };
  const server = serve(
    {
      async prompt() {
        await slow.opened;
        return { stopReason: "end_turn" };
      },
    },
    { connection, limits },
  );
  const opened = await post(server, opening);
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  const headers = { "Acp-Connection-Id": id, "Acp-Session-Id": "s" };
  const ask = (id: number) => {
    const params = { ...session, prompt: [text("x".repeat(100))] };
    const message = { jsonrpc: "2.0", id, method: "session/prompt", params };
    return post(server, message, headers);
  };
  assert.equal((await ask(1)).status, 202);
  assert.equal((await ask(2)).status, 202);
  const waiting = [ask(3), ask(4)];
  await settled();
  // What they have is not all that counts.
  const full = await ask(5);
  assert.equal(full.status, 503);
  assert.match(await full.text(), /buffered/);
  slow.open();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  assert.deepEqual(statuses, [202, 202]);
  await server.close();
});

test("an opening that is not answered is given up", async () => {
  const handler = { initialize: () => new Promise<never>(() => {}) };
  const server = serve(handler, { limits: { opening: 20 } });
  const answer = await post(server, opening);
  assert.equal(answer.status, 504);
  assert.match(await answer.text(), /opening/);
  await settled();
  assert.equal(server.connections, 0);
});

test("what is said of a session before it is known is on its stream", async () => {
  const server = serve({
    async newSession(_, { client }) {
      await client.sessionUpdate(chunk("early"));
      return session;
    },
  });
  const opened = await post(server, opening);
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  const next = { jsonrpc: "2.0", id: 1, method: "session/new", params: folder };
  await post(server, next, { "Acp-Connection-Id": id });
  const headers = {
    accept: "text/event-stream",
    "Acp-Connection-Id": id,
    "Acp-Session-Id": "s",
  };
  const stream = await server.fetch(new Request(URL_OF, { headers }));
  assert.equal(stream.status, 200);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("data:")) {
    const next = await reader?.read();
    assert.equal(next?.done, false);
    said += next.value;
  }
  assert.match(said, /early/);
  await server.close();
});

test("a session that is about to be opened counts", async () => {
  const slow = gate();
  const server = serve(
    {
      async newSession() {
        await slow.opened;
        return session;
      },
    },
    { limits: { sessions: 1 } },
  );
  const opened = await post(server, opening);
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  const ask = (number: number) => {
    const method = "session/new";
    const message = { jsonrpc: "2.0", id: number, method, params: folder };
    return post(server, message, { "Acp-Connection-Id": id });
  };
  assert.equal((await ask(1)).status, 202);
  const refused = await ask(2);
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /sessions/);
  slow.open();
  await server.close();
});

test("a server that is drained answers what it was asked", async () => {
  const slow = gate();
  const server = serve({
    async prompt() {
      await slow.opened;
      return { stopReason: "end_turn" };
    },
  });
  const connection = overHttp(server);
  await connection.initialize(hello);
  await connection.newSession(folder);
  const turn = connection.prompt(prompt);
  await settled();
  const drained = server.drain(60_000);
  const refused = await post(server, opening);
  assert.equal(refused.status, 503);
  assert.ok(refused.headers.has("retry-after"));
  slow.open();
  assert.deepEqual(await turn, done);
  await drained;
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), isKind("lost"));
  await assert.rejects(connection.prompt(prompt), /shuts down/);
});

test("HTTP/1.1 is refused where nothing is said of it", async () => {
  const request = new Request(URL_OF, { method: "DELETE" });
  const answer = await serve().fetch(request, { version: "1.1" });
  assert.equal(answer.status, 505);
});

test("a stream is given to who takes events, and nothing like it", async () => {
  const server = serve();
  const opened = await post(server, opening);
  const id = opened.headers.get("Acp-Connection-Id") ?? "";
  for (const [accept, status] of [
    ["text/event-streams", 406],
    ["application/text/event-stream", 406],
    ["text/html, text/event-stream;q=0.5", 200],
  ] as const) {
    const headers = { accept, "Acp-Connection-Id": id };
    const answer = await server.fetch(new Request(URL_OF, { headers }));
    assert.equal(answer.status, status, accept);
  }
  await server.close();
});

test("limits have defaults", () => {
  assert.deepEqual(serve().limits, {
    connections: 1000,
    sessions: 1000,
    buffered: 4 * 1024 * 1024,
    body: 64 * 1024 * 1024,
    headers: 100,
    reading: 30_000,
    idle: 300_000,
    sessionWait: 10_000,
    keepAlive: 15_000,
    ping: 20_000,
    opening: 30_000,
  });
});
