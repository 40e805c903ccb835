// What both ends agree on at the start: the version, and what each of them can do.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  type ConnectionError,
  type Observed,
  PROTOCOL_VERSION,
  type RequestError,
} from "acp";

import { agent, client, done, isKind, type Json, prompt } from "./wire.js";

for (const [asked, spoken] of [
  [1, 1],
  [7, 1],
  [0, 1],
]) {
  test(`an agent asked for version ${String(asked)} speaks ${String(spoken)}`, async () => {
    const seen: unknown[] = [];
    const { wire, connection } = agent({
      initialize({ protocolVersion }, context) {
        seen.push(protocolVersion, context.protocolVersion);
        return { protocolVersion };
      },
    });
    assert.equal(connection.protocolVersion, PROTOCOL_VERSION);
    const params = { protocolVersion: asked };
    await wire.send({ id: 1, method: "initialize", params });
    const { result } = (await wire.receive()) ?? {};
    assert.deepEqual(result, { protocolVersion: spoken });
    assert.deepEqual(seen, [asked, spoken]);
    assert.equal(connection.protocolVersion, spoken);
  });
}

test("a client ends a connection to an agent of another version", async () => {
  const { wire, connection } = client({
    readTextFile: () => new Promise(() => {}),
  });
  const calls = [
    connection.initialize({ protocolVersion: 1 }),
    connection.newSession({ cwd: "/", mcpServers: [] }),
  ];
  const settledCalls = Promise.allSettled(calls);
  await wire.receive();
  await wire.receive();
  await wire.send(
    {
      id: 1,
      method: "fs/read_text_file",
      params: { sessionId: "s", path: "/" },
    },
    { id: 0, result: { protocolVersion: 7 } },
  );
  const expected = {
    kind: "version",
    message: "the agent speaks version 7; this client speaks 1",
  };
  for (const { status, ...rest } of await settledCalls) {
    assert.equal(status, "rejected");
    const { kind, message } = (rest as { reason: ConnectionError }).reason;
    assert.deepEqual({ kind, message }, expected);
  }
  await assert.rejects(connection.prompt(prompt), expected);
  await assert.rejects(connection.cancel({ sessionId: "s" }), expected);
  await connection.closed;
  assert.equal(await wire.receive(), undefined);
});

test("an agent of no version at all gives a malformed answer", async () => {
  const { wire, connection } = client({});
  const call = connection.initialize({ protocolVersion: 1 });
  await wire.receive();
  await wire.send({ id: 0, result: { protocolVersion: "seven" } });
  await assert.rejects(call, isKind("malformed"));
  assert.equal(connection.signal.aborted, false);
});

test("what the peer cannot do is not sent", async () => {
  const { wire, connection } = client({});
  const load = { sessionId: "s", cwd: "/", mcpServers: [] };
  const initialized = connection.initialize({ protocolVersion: 1 });
  await wire.receive();
  await wire.send({
    id: 0,
    result: { protocolVersion: 1, agentCapabilities: {} },
  });
  await initialized;
  await assert.rejects(connection.loadSession(load), isKind("not-supported"));
  const other = connection.newSession({ cwd: "/", mcpServers: [] });
  assert.equal((await wire.receive())?.["method"], "session/new");
  await wire.send({ id: 1, result: { sessionId: "s" } });
  await other;
});

test("what the peer does not allow in a message is not sent", async () => {
  const { wire, connection } = client({});
  const text = { type: "text" as const, text: "hi" };
  const image = { type: "image" as const, data: "", mimeType: "image/png" };
  const send = () =>
    connection.prompt({ sessionId: "s", prompt: [text, text, image] });
  // Before the handshake nothing is known.
  const early = send();
  await wire.receive();
  await wire.send({ id: 0, result: done });
  await early;
  const initialized = connection.initialize({ protocolVersion: 1 });
  await wire.receive();
  const agentCapabilities = { promptCapabilities: { audio: true } };
  await wire.send({ id: 1, result: { protocolVersion: 1, agentCapabilities } });
  await initialized;
  await assert.rejects(send(), {
    kind: "not-supported",
    message:
      "the peer does not allow params.prompt[2]: promptCapabilities.image",
  });
  const allowed = connection.prompt({
    sessionId: "s",
    prompt: [text, { type: "audio", data: "", mimeType: "audio/ogg" }],
  });
  assert.equal((await wire.receive())?.["id"], 2);
  await wire.send({ id: 2, result: done });
  await allowed;
});

test("what is said to be handled is handled", async () => {
  const seen: Observed[] = [];
  const { wire } = agent(
    {
      initialize: ({ protocolVersion, _meta }) => ({
        protocolVersion,
        agentCapabilities: _meta ?? {},
      }),
      listSessions: () => ({ sessions: [] }),
    },
    { observe: (it) => seen.push(it) },
  );
  const answer = async (capabilities: Json) => {
    const params = { protocolVersion: 1, _meta: capabilities };
    await wire.send({ id: 1, method: "initialize", params });
    return (await wire.receive())?.["error"] as RequestError | undefined;
  };
  const list = { sessionCapabilities: { list: {} } };
  assert.equal(await answer({ loadSession: false, ...list }), undefined);
  assert.deepEqual(await answer({ loadSession: true }), {
    code: -32603,
    message: "advertises `loadSession` but does not handle `session/load`",
  });
  assert.equal(seen.filter(({ type }) => type === "failed").length, 1);

  const { connection, wire: other } = client({
    readTextFile: () => ({ content: "" }),
  });
  await assert.rejects(
    connection.initialize({
      protocolVersion: 1,
      clientCapabilities: { terminal: true },
    }),
    {
      kind: "not-handled",
      message: "advertises `terminal` but does not handle `terminal/create`",
    },
  );
  void connection
    .initialize({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true } },
    })
    .catch(() => undefined);
  assert.equal((await other.receive())?.["method"], "initialize");
});
