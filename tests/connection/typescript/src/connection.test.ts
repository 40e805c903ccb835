import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import {
  type Client,
  type ClientContext,
  ClientSideConnection,
  ConnectionError,
  ContentBlock,
  type CreateTerminalResponse,
  ndJsonStream,
  type Observed,
  PROTOCOL_VERSION,
  RequestError,
  SessionUpdate,
  SessionUpdateState,
  type TerminalHandle,
  ToolCallContent,
} from "acp";
import { spawn } from "acp/node";

import {
  agent,
  client,
  done,
  gate,
  type Json,
  prompt,
  settled,
  update,
} from "./wire.js";

const isKind = (kind: string) => (error: unknown) =>
  error instanceof ConnectionError && error.kind === kind;

test("a response waits for the updates before it, however slow their handlers", async () => {
  const handled: string[] = [];
  const { wire, connection } = client({
    async sessionUpdate({ update }) {
      await settled();
      if ("content" in update) handled.push(JSON.stringify(update.content));
    },
  });
  const calls = [connection.prompt(prompt), connection.prompt(prompt)].map(
    (call) => call.then(() => handled.length),
  );
  await wire.receive();
  await wire.receive();
  await wire.send(update("1"), update("2"), { id: 0, result: done });
  await wire.send(update("3"), { id: 1, result: done });
  assert.deepEqual(await Promise.all(calls), [2, 3]);
});

test("a call made while an old update is handled still waits for the new ones", async () => {
  const handled: string[] = [];
  const slow = gate();
  const { wire, connection } = client({
    async sessionUpdate({ update }) {
      const text = JSON.stringify(update);
      if (text.includes("old")) await slow.opened;
      await settled();
      handled.push(text.includes("old") ? "old" : "new");
    },
  });
  await wire.send(update("old"));
  await settled();
  const call = connection.prompt(prompt).then(() => [...handled]);
  await wire.receive();
  await wire.send(update("a"), update("b"), { id: 0, result: done });
  assert.deepEqual(await call, ["new", "new"]);
  slow.open();
  await settled();
  await settled();
  assert.deepEqual(handled, ["new", "new", "old"]);
});

for (const [how, after] of [
  ["by its context", "now"],
  ["by its context, later", "later"],
  ["by the connection", "now"],
  ["by the connection, later", "later"],
] as const) {
  test(`the handler of a notification may call the peer ${how}`, async () => {
    const handled: unknown[] = [];
    const { wire, connection } = client({
      async sessionUpdate(_, { agent: peer }: ClientContext) {
        if (after === "later") await settled();
        const target = how.includes("context") ? peer : connection;
        handled.push(await target.extMethod("_ask", {}));
      },
      readTextFile: () => ({ content: "hello" }),
    });
    await wire.send(update("1"), update("2"));
    for (const id of [0, 1]) {
      const request = await wire.receive();
      assert.equal(request?.["method"], "_ask");
      // The peer may need something before it answers.
      await wire.send({
        id: 7,
        method: "fs/read_text_file",
        params: { sessionId: "s", path: "/" },
      });
      assert.deepEqual((await wire.receive())?.["result"], {
        content: "hello",
      });
      await wire.send({ id, result: { id } });
    }
    await settled();
    assert.deepEqual(handled, [{ id: 0 }, { id: 1 }]);
  });
}

test("what nothing else handles has a handler of its own", async () => {
  const seen: unknown[] = [];
  const { wire } = agent({
    extMethod: (_, params) => params,
    unknownMethod(method, params, { requestId }) {
      if (method === "no") throw RequestError.methodNotFound(method);
      return [method, params, requestId];
    },
    unknownNotification(method, params) {
      seen.push([method, params]);
    },
  });
  const answers: [Json, unknown][] = [
    [{ method: "x/y", params: [1] }, ["x/y", [1], "1"]],
    [{ method: "" }, ["", null, "1"]],
    // It is not the agent's.
    [{ method: "fs/read_text_file", params: 5 }, ["fs/read_text_file", 5, "1"]],
    [{ method: "_x", params: { a: 1 } }, { a: 1 }],
  ];
  for (const [message, result] of answers) {
    await wire.send({ id: 1, ...message });
    assert.deepEqual((await wire.receive())?.["result"], result);
  }
  // The schema names the second, but has no handler for it.
  for (const method of ["no", "session/load"]) {
    await wire.send({ id: 1, method });
    const { error } = (await wire.receive()) ?? {};
    assert.equal((error as RequestError).code, -32601);
  }
  await wire.send(
    { method: "_x", params: { a: 1 } },
    { method: "x/y" },
    { method: "session/prompt" },
  );
  await settled();
  assert.deepEqual(seen, [
    ["_x", { a: 1 }],
    ["x/y", undefined],
  ]);
});

test("requests run concurrently, and start in order", async () => {
  const first = gate();
  const started: string[] = [];
  const { wire } = agent({
    async extMethod(method) {
      started.push(method);
      if (method === "_1") await first.opened;
      return { method };
    },
  });
  await wire.send({ id: 1, method: "_1" }, { id: 2, method: "_2" });
  assert.equal((await wire.receive())?.["id"], 2);
  first.open();
  assert.equal((await wire.receive())?.["id"], 1);
  assert.deepEqual(started, ["_1", "_2"]);
});

test("an aborted call is cancelled", async () => {
  const { wire, connection } = client({});
  const controller = new AbortController();
  const call = connection.prompt(prompt, { signal: controller.signal });
  await wire.receive();
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
  assert.deepEqual(await wire.receive(), {
    jsonrpc: "2.0",
    method: "$/cancel_request",
    params: { requestId: 0 },
  });
  await assert.rejects(
    connection.prompt(prompt, { signal: AbortSignal.abort() }),
    {
      name: "AbortError",
    },
  );
  await wire.send({ id: 0, result: done });
  const next = connection.prompt(prompt);
  assert.equal((await wire.receive())?.["id"], 1);
  await wire.send({ id: 1, result: done });
  assert.deepEqual(await next, done);
});

test("a cancelled handler answers so", async () => {
  const { wire } = agent({
    async prompt(_, { signal, requestId }) {
      assert.equal(requestId, "9007199254740993");
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reject(new Error("it is over"));
        });
      });
      return { stopReason: "end_turn" };
    },
  });
  const params = JSON.stringify(prompt);
  await wire.raw(
    `{"jsonrpc":"2.0","method":"session/prompt","params":${params},"id":9007199254740993}`,
  );
  // As numbers they are the same.
  await wire.raw(
    '{"method":"$/cancel_request","params":{"requestId":9007199254740992}}',
  );
  await wire.send({ id: "x", method: "_x" });
  assert.equal((await wire.receive())?.["id"], "x");
  await wire.raw(
    '{"method":"$/cancel_request","params":{"requestId":9007199254740993}}',
  );
  assert.equal(
    ((await wire.receive())?.["error"] as RequestError).code,
    -32800,
  );
});

test("a request that waits for its turn can be cancelled", async () => {
  const slow = gate();
  const seen: boolean[] = [];
  const { wire } = agent(
    {
      cancel: () => slow.opened,
      extMethod(_, params, { signal }) {
        seen.push(signal.aborted);
        return params;
      },
    },
    { maxRequests: 1 },
  );
  await wire.send(
    { method: "session/cancel", params: { sessionId: "s" } },
    { id: 1, method: "_x", params: {} },
    { id: 2, method: "_x", params: {} },
    { method: "$/cancel_request", params: { requestId: 2 } },
  );
  await settled();
  slow.open();
  await wire.receive();
  await wire.receive();
  assert.deepEqual(seen, [false, true]);
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

test("responses are judged like requests", async () => {
  const { wire, connection } = client({});
  const answers: [object, (error: unknown) => boolean][] = [
    [{ result: { stopReason: "bored" } }, isKind("malformed")],
    [{ result: {} }, isKind("malformed")],
    [{ result: done, error: { code: 1, message: "no" } }, isKind("malformed")],
    [{ error: { code: "1", message: "no" } }, isKind("malformed")],
    [{ error: null }, isKind("malformed")],
    [{}, isKind("malformed")],
    [
      { error: { code: 1, message: "no", data: [1] } },
      (error) => error instanceof RequestError && error.code === 1,
    ],
  ];
  for (const [index, [answer, isRight]] of answers.entries()) {
    const call = connection.prompt(prompt);
    const id = (await wire.receive())?.["id"];
    assert.equal(id, index);
    await wire.send({ id, ...answer });
    await assert.rejects(call, isRight);
  }
});

test("batches are answered call by call", async () => {
  const { wire, connection } = client({});
  const calls = connection.batch((batch) => [
    batch.setSessionMode({ sessionId: "s", modeId: "a" }),
    batch.cancel({ sessionId: "s" }),
    batch.prompt(prompt),
    batch.extMethod("_x", {}),
  ]);
  const batch = (await wire.receive()) as unknown as Record<string, unknown>[];
  assert.deepEqual(
    batch.map(({ method, id }) => [method, id]),
    [
      ["session/set_mode", 0],
      ["session/cancel", undefined],
      ["_x", 1],
    ],
  );
  await wire.raw(
    '[{"id":1,"error":{"code":5,"message":"no"}},{"id":0,"result":{}}]',
  );
  const settledCalls = await Promise.allSettled(calls);
  assert.deepEqual(
    settledCalls.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected", "rejected"],
  );
  await assert.rejects(Promise.resolve(calls[2]), isKind("not-in-batch"));
  assert.equal(
    connection.batch(() => 5),
    5,
  );
  const after = connection.extMethod("_y", {});
  assert.equal((await wire.receive())?.["method"], "_y");
  await wire.send({ id: 2, result: {} });
  await after;
});

test("the end fails calls, cancels handlers, and hangs nothing", async () => {
  const { wire, connection } = client({
    requestPermission: () => new Promise(() => {}),
  });
  const call = connection.prompt(prompt);
  await wire.receive();
  await wire.send({
    id: 1,
    method: "session/request_permission",
    params: { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] },
  });
  await wire.end();
  await assert.rejects(call, isKind("closed"));
  assert.equal(connection.signal.aborted, true);
  assert.equal(
    ((await wire.receive())?.["error"] as RequestError).code,
    -32800,
  );
  assert.equal(await wire.receive(), undefined);
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
  await assert.rejects(connection.cancel({ sessionId: "s" }), isKind("closed"));
});

test("closing says everything first", async () => {
  const { wire, connection } = client({});
  void connection.cancel({ sessionId: "s" });
  const closed = connection.close();
  assert.equal((await wire.receive())?.["method"], "session/cancel");
  assert.equal(await wire.receive(), undefined);
  await closed;
});

test("a slow reader slows the sender", async () => {
  const { wire, connection } = agent({});
  let sent = 0;
  const text = "x".repeat(1000);
  const sending = (async () => {
    for (; sent < 5000; sent += 1) {
      await connection.sessionUpdate({
        sessionId: "s",
        update: {
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text },
        },
      });
    }
  })();
  await settled();
  assert.ok(sent < 1000, `${String(sent)} were taken`);
  for (let count = 0; count < 5000; count += 1) await wire.receive();
  await sending;
});

test("slow handlers slow the peer, even while a call waits", async () => {
  const slow = gate();
  let handled = 0;
  const { wire, connection } = client(
    {
      async sessionUpdate() {
        await slow.opened;
        handled += 1;
      },
    },
    { maxRequests: 10 },
  );
  const call = connection.prompt(prompt);
  await wire.receive();
  let sent = 0;
  const sending = (async () => {
    for (; sent < 100; sent += 1) await wire.send(update("x"));
    await wire.send({ id: 0, result: done });
  })();
  await settled();
  assert.ok(sent < 20, `${String(sent)} were taken`);
  slow.open();
  await sending;
  await call;
  assert.equal(handled, 100);
});

test("requests at a time are bounded", async () => {
  const all = gate();
  let running = 0;
  let most = 0;
  const { wire } = agent(
    {
      async extMethod() {
        running += 1;
        most = Math.max(most, running);
        await all.opened;
        running -= 1;
        return {};
      },
    },
    { maxRequests: 3 },
  );
  const sending = (async () => {
    for (let id = 0; id < 20; id += 1) await wire.send({ id, method: "_x" });
  })();
  await settled();
  assert.equal(running, 3);
  all.open();
  const ids = new Set<unknown>();
  while (ids.size < 20) ids.add((await wire.receive())?.["id"]);
  await sending;
  assert.equal(most, 3);
  // Those of one batch, too, which are answered together.
  const entries = Array.from({ length: 20 }, (_, id) => ({ id, method: "_x" }));
  await wire.raw(JSON.stringify(entries));
  const answers = (await wire.receive()) as unknown as unknown[];
  assert.equal(answers.length, 20);
  assert.equal(most, 3);
});

test("everything is observed, and long lines are skipped", async () => {
  const seen: Observed[] = [];
  const { wire, connection } = agent(
    {
      cancel() {
        throw new Error("no");
      },
    },
    { maxLine: 150, observe: (it) => seen.push(it) },
  );
  await wire.raw(`"${"x".repeat(150)}"`);
  assert.equal(
    ((await wire.receive())?.["error"] as RequestError).code,
    -32600,
  );
  await wire.raw(`"${"x".repeat(148)}"`);
  assert.equal(
    ((await wire.receive())?.["error"] as RequestError).code,
    -32600,
  );
  await wire.send({ method: "foo" }, { id: 5, result: 1 });
  await wire.send({ method: "session/cancel", params: { sessionId: "s" } });
  await connection.sessionUpdate({
    sessionId: "s",
    update: { sessionUpdate: "current_mode_update", currentModeId: "m" },
  });
  await settled();
  const types = seen.map(({ type }) => type);
  assert.deepEqual(types, [
    "dropped",
    "sent",
    "received",
    "dropped",
    "sent",
    "received",
    "ignored",
    "received",
    "unexpected",
    "received",
    "failed",
    "sent",
  ]);
});

test("a connection can stand for an agent", async () => {
  const inner = client({});
  const outer = agent({});
  const proxy: import("acp").Agent = inner.connection;
  assert.ok(outer.connection);
  const controller = new AbortController();
  const call = Promise.resolve(
    proxy.newSession({ cwd: "/", mcpServers: [] }, {
      signal: controller.signal,
    } as unknown as import("acp").AgentContext),
  );
  await inner.wire.receive();
  controller.abort();
  await assert.rejects(call);
  assert.equal((await inner.wire.receive())?.["method"], "$/cancel_request");
});

test("errors have constructors", () => {
  assert.deepEqual(
    JSON.parse(JSON.stringify(RequestError.methodNotFound("x"))),
    {
      code: -32601,
      message: "Method not found",
      data: { method: "x" },
    },
  );
  const error = RequestError.authRequired(undefined, "log in");
  assert.deepEqual(
    { ...error.toJSON() },
    { code: -32000, message: "Auth required: log in" },
  );
});

const quiet: Client = {
  sessionUpdate() {},
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
};

test("a process is killed when its connection has ended", async () => {
  const lasting = ["-e", "setInterval(() => {}, 1000)"];
  const stream = spawn(process.execPath, lasting, { grace: 50 });
  const connection = new ClientSideConnection(() => quiet, stream);
  const exited = once(stream.process, "exit");
  const rejected = assert.rejects(connection.prompt(prompt), isKind("closed"));
  await connection.close();
  await rejected;
  await exited;
});

test("a process that cannot be started fails calls", async () => {
  const stream = spawn("there-is-no-such-program");
  const connection = new ClientSideConnection(() => quiet, stream);
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
});

for (const way of ["as they are", "as all platforms have them"]) {
  test(`the streams of a process, ${way}`, async () => {
    // It says what it hears, so that a call calls this side itself.
    const echo = spawn(process.execPath, [
      "-e",
      "process.stdin.pipe(process.stdout)",
    ]);
    const { readable, writable, dispose } = echo;
    const stream =
      way === "as they are"
        ? echo
        : { ...ndJsonStream(writable, readable), dispose };
    const connection = new ClientSideConnection(() => quiet, stream);
    for (const text of ["short", "größer".repeat(100_000)]) {
      const call = connection.prompt({
        sessionId: "s",
        prompt: [{ type: "text", text }],
      });
      await assert.rejects(call, { code: -32601 });
    }
    await connection.close();
    await connection.closed;
  });
}

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

/** Ends as whoever fires the signal says. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });

test("a turn that is cancelled by a notification ends as the schema says", async () => {
  const seen: unknown[] = [];
  const { wire } = agent({
    async prompt({ sessionId }, { signal }) {
      try {
        return await aborted(signal);
      } catch (error) {
        seen.push(sessionId);
        if (sessionId === "own") return { stopReason: "refusal" };
        if (sessionId === "fails") throw RequestError.authRequired();
        if (sessionId === "ends") throw new Error("over");
        throw error;
      }
    },
    cancel({ sessionId }) {
      seen.push(`cancel ${sessionId}`);
    },
  });
  const cancelled = { result: { stopReason: "cancelled" } };
  const answers: [string, Json][] = [
    ["s", cancelled],
    ["ends", cancelled],
    ["own", { result: { stopReason: "refusal" } }],
    ["fails", cancelled],
  ];
  for (const [sessionId, answer] of answers) {
    const params = { ...prompt, sessionId };
    await wire.send(
      { id: 1, method: "session/prompt", params },
      { method: "session/cancel", params: { sessionId: "other" } },
      { method: "session/cancel", params: { sessionId } },
    );
    assert.deepEqual(await wire.receive(), {
      jsonrpc: "2.0",
      id: 1,
      ...answer,
    });
    const expected = ["cancel other", `cancel ${sessionId}`, sessionId];
    assert.deepEqual(seen.splice(0), expected);
  }
  // Who cancels first decides.
  await wire.send(
    { id: 2, method: "session/prompt", params: prompt },
    { method: "$/cancel_request", params: { requestId: 2 } },
    { method: "session/cancel", params: { sessionId: "s" } },
  );
  const { error } = (await wire.receive()) ?? {};
  assert.equal((error as RequestError).code, -32800);
});

test("who cancels a turn no longer asks its user", async () => {
  const { wire, connection } = client({
    requestPermission: (_, { signal }) => aborted(signal),
  });
  const method = "session/request_permission";
  const params = { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] };
  await wire.send(
    { id: 1, method, params },
    { id: 2, method, params: { ...params, sessionId: "other" } },
  );
  await settled();
  await connection.cancel({ sessionId: "s" });
  assert.equal((await wire.receive())?.["method"], "session/cancel");
  const expected = { outcome: { outcome: "cancelled" } };
  const answer = await wire.receive();
  assert.deepEqual([answer?.["id"], answer?.["result"]], [1, expected]);
  connection.batch((batch) => batch.cancel({ sessionId: "other" }));
  assert.ok(Array.isArray(await wire.receive()));
  assert.equal((await wire.receive())?.["id"], 2);
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

test("what a call opened is an object with calls of its own", async () => {
  const { wire, connection } = agent({});
  const opened = connection.createTerminal({ sessionId: "s", command: "c" });
  await wire.receive();
  await wire.send({
    id: 0,
    // What the peer adds cannot hide what the handle does.
    result: { terminalId: "t", _meta: { a: 1 }, release: 5, more: true },
  });
  const terminal: TerminalHandle & CreateTerminalResponse = await opened;
  assert.equal(terminal.terminalId, "t");
  assert.deepEqual(
    { ...terminal },
    { terminalId: "t", _meta: { a: 1 }, more: true },
  );
  const ids = { sessionId: "s", terminalId: "t" };
  const exited = terminal.waitForExit({ _meta: { b: 2 } });
  const { method, params } = (await wire.receive()) ?? {};
  assert.equal(method, "terminal/wait_for_exit");
  assert.deepEqual(params, { _meta: { b: 2 }, ...ids });
  await wire.send({ id: 1, result: { exitCode: 3 } });
  assert.equal((await exited).exitCode, 3);
  const released = [terminal.release(), terminal.release()];
  assert.deepEqual((await wire.receive())?.["params"], ids);
  await wire.send({ id: 2, result: {} });
  await Promise.all(released);
  // It was given back before.
  await terminal[Symbol.asyncDispose]();
  const after = connection.extMethod("_x", {});
  assert.equal((await wire.receive())?.["method"], "_x");
  await wire.send({ id: 3, result: {} });
  await after;
});

test("what a call opened is given back at the end of its scope", async () => {
  const { wire, connection } = agent({});
  const using = (async () => {
    const [opened] = connection.batch((batch) => [
      batch.createTerminal({ sessionId: "s", command: "c" }),
    ]);
    await using terminal = await opened;
    return terminal?.terminalId;
  })();
  await wire.receive();
  await wire.send({ id: 0, result: { terminalId: "t" } });
  const release = await wire.receive();
  assert.equal(release?.["method"], "terminal/release");
  await wire.send({ id: release?.["id"], result: {} });
  assert.equal(await using, "t");
});

test("a text stands for a block of text", () => {
  const content = { type: "text", text: "hi" };
  assert.deepEqual(SessionUpdate.agentMessageChunk("hi"), {
    sessionUpdate: "agent_message_chunk",
    content,
  });
  const block = ContentBlock.text("hi");
  assert.deepEqual(
    ToolCallContent.content(block),
    ToolCallContent.content("hi"),
  );
});

test("updates make up a state", () => {
  const state = new SessionUpdateState();
  assert.equal(state.plan, undefined);
  const call = SessionUpdate.toolCall("b", "First", {
    content: [ToolCallContent.content("hi")],
  });
  assert.equal(state.apply(call), true);
  assert.equal(state.apply(call), false);
  assert.equal(state.apply(SessionUpdate.toolCall("a", "Second")), true);
  // What is absent stays, `null` clears, anything else replaces.
  const change = SessionUpdate.toolCallUpdate("b", {
    title: "Third",
    content: null,
    rawInput: { x: 1 },
  });
  assert.equal(state.apply(change), true);
  assert.equal(state.apply(change), false);
  assert.deepEqual([...state.toolCalls.keys()], ["b", "a"]);
  const { toolCallId, title, content, rawInput } =
    state.toolCalls.get("b") ?? {};
  assert.deepEqual(
    [toolCallId, title, content, rawInput],
    ["b", "Third", undefined, { x: 1 }],
  );
  assert.equal("sessionUpdate" in (state.toolCalls.get("b") ?? {}), false);
  // It makes up no tool call: there is no title.
  assert.equal(state.apply(SessionUpdate.toolCallUpdate("c", {})), false);
  assert.equal(state.apply(SessionUpdate.agentMessageChunk("hi")), false);
  assert.equal(state.apply(SessionUpdate.plan([])), true);
  assert.deepEqual(state.plan, { entries: [] });
});
