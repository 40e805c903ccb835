// Connections over a network, seen from their own API. What passes between is
// judged by tests/remote.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import {
  type Agent,
  type Client,
  ClientSideConnection,
  ConnectionError,
  ndJsonStream,
} from "acp";
import * as portable from "acp/remote";
import {
  AgentServer,
  listen,
  nodeHandler,
  type Opening,
  reconnecting,
  Refusal,
  Remote,
  remote,
  type RemoteState,
  type ServerOptions,
  type SocketEvent,
  type WebSocketLike,
} from "acp/remote/node";

import { done, gate, settled } from "./wire.js";

const hello = { protocolVersion: 1 };
const folder = { cwd: "/", mcpServers: [] };
const session = { sessionId: "s" };
const text = (text: string) => ({ type: "text" as const, text });
const prompt = { ...session, prompt: [text("hi")] };
const chunk = (number: number | string) => ({
  ...session,
  update: {
    sessionUpdate: "agent_message_chunk" as const,
    content: text(String(number)),
  },
});

/** An agent that can load sessions. */
function serve(
  handler: Partial<Agent> = {},
  options: ServerOptions = {},
  opened: (opening: Opening) => void = () => {},
) {
  const agent: Agent = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { close: {} },
      },
    }),
    authenticate() {},
    newSession: () => session,
    loadSession() {},
    closeSession() {},
    prompt: () => ({ stopReason: "end_turn" }),
    cancel() {},
    ...handler,
  };
  return new AgentServer((_, opening) => {
    opened(opening);
    return agent;
  }, options);
}

/** What calls a server without any socket between. */
function calling(server: () => portable.AgentServer): typeof fetch {
  return (input, init) => server().fetch(new Request(input, init));
}

const URL_OF = "http://agents.example/acp";

/** A client of it. */
function client(stream: portable.RemoteStream, handler: Partial<Client> = {}) {
  const whole: Client = {
    requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
    sessionUpdate() {},
    ...handler,
  };
  return new ClientSideConnection(() => whole, stream);
}

function overHttp(
  server: portable.AgentServer,
  handler: Partial<Client> = {},
  headers: Record<string, string> = {},
) {
  const fetch = calling(() => server);
  const transport = "http";
  return client(
    portable.remote(URL_OF, { transport, fetch, headers }),
    handler,
  );
}

/** Sends a message over HTTP by hand. */
function post(
  server: portable.AgentServer,
  message: unknown,
  headers: Record<string, string> = {},
) {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const type = { "content-type": "application/json" };
  const init = { method: "POST", headers: { ...type, ...headers }, body };
  return server.fetch(new Request(URL_OF, init));
}

const opening = { jsonrpc: "2.0", id: 0, method: "initialize", params: hello };

const isKind = (kind: string) => (error: unknown) =>
  error instanceof ConnectionError && error.kind === kind;

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
  const connection = { maxRequests: 1 };
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
    const params = { ...session, prompt: [text("x".repeat(300))] };
    const message = { jsonrpc: "2.0", id, method: "session/prompt", params };
    return post(server, message, headers);
  };
  assert.equal((await ask(1)).status, 202);
  assert.equal((await ask(2)).status, 202);
  const waiting = [ask(3), ask(4)];
  await settled();
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
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}/acp`;
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

/** A server that can be replaced, and a network that can be cut. */
function replaceable(handler: Partial<Agent>) {
  const cuts: (() => void)[] = [];
  const current = {
    server: serve(handler),
    cut() {
      for (const cut of cuts.splice(0)) cut();
    },
  };
  const call = calling(() => current.server);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await call(input, init);
    if (init?.method !== "GET" || response.body === null) return response;
    const wire = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        cuts.push(() => {
          controller.error(new Error("cut"));
        });
      },
    });
    return new Response(response.body.pipeThrough(wire));
  };
  const agents = new portable.Remote(URL_OF, { transport: "http", fetch });
  return Object.assign(current, { agents });
}

test("after a loss it is connected again, and nothing sent twice", async () => {
  let prompts = 0;
  const it = replaceable({
    prompt() {
      prompts += 1;
      return prompts > 1 ? { stopReason: "end_turn" } : new Promise(() => {});
    },
  });
  const seen: RemoteState[] = [];
  const ends: unknown[] = [];
  const setUp = async (
    connection: ClientSideConnection,
    before: RemoteState,
  ) => {
    seen.push(before);
    await connection.initialize(hello);
    if (seen.length === 1) {
      await connection.newSession(folder);
      const turn = connection.prompt(prompt);
      turn.catch(() => {});
      await settled();
      it.cut();
      await turn.catch((error: unknown) => ends.push(error));
      return;
    }
    for (const sessionId of before.sessions) {
      await connection.loadSession({ ...folder, sessionId });
    }
    ends.push(await connection.prompt(prompt));
    void connection.close();
  };
  await reconnecting(it.agents, client, setUp, { delay: 1 });
  assert.deepEqual(seen, [
    { sessions: [], lost: [] },
    { sessions: ["s"], lost: ["session/prompt"] },
  ]);
  const [first, second] = ends;
  assert.ok(isKind("lost")(first));
  assert.match(String(first), /cut/);
  assert.deepEqual(second, done);
  assert.equal(prompts, 2);
  await it.server.close();
});

test("connecting again is given up after so many tries", async () => {
  const fetch = () => Promise.reject(new TypeError("no network"));
  const agents = new portable.Remote(URL_OF, { transport: "http", fetch });
  let tries = 0;
  const setUp = async (connection: ClientSideConnection) => {
    tries += 1;
    await connection.initialize(hello);
  };
  const options = { tries: 2, delay: 1 };
  const given = reconnecting(agents, client, setUp, options);
  await assert.rejects(given, /no network/);
  assert.equal(tries, 3);
});

test("what is no loss is not tried again", async () => {
  const it = replaceable({});
  let tries = 0;
  const setUp = async (connection: ClientSideConnection) => {
    tries += 1;
    await connection.initialize(hello);
    throw new Error("mine");
  };
  await assert.rejects(reconnecting(it.agents, client, setUp), /mine/);
  assert.equal(tries, 1);
  it.server = serve({}, { authenticate: () => new Refusal(403, "no") });
  await assert.rejects(
    reconnecting(it.agents, client, setUp),
    isKind("refused"),
  );
  assert.equal(tries, 2);
});

test("connecting again ends when its signal fires", async () => {
  const it = replaceable({});
  const abort = new AbortController();
  const setUp = async (connection: ClientSideConnection) => {
    await connection.initialize(hello);
    abort.abort();
  };
  await reconnecting(it.agents, client, setUp, { signal: abort.signal });
  await settled();
  assert.equal(it.server.connections, 0);
});
