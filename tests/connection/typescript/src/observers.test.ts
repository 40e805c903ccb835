// What observers and logs are told.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type Observed, type RequestError, ToolKind } from "acp";

import { agent, client, done, type Json, prompt, settled } from "./wire.js";

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

test("a cancellation that nothing handles is read", async () => {
  const seen: Observed[] = [];
  const { wire } = agent(
    { cancel: undefined as never },
    { observe: (it) => seen.push(it) },
  );
  for (const params of [{ sessionId: "s" }, { sessionId: 7 }, {}]) {
    await wire.send({ method: "session/cancel", params });
  }
  await settled();
  const dropped = seen.filter(({ type }) => type !== "received");
  assert.deepEqual(
    dropped.map((it) => "path" in it && [it.type, it.method, it.path]),
    Array.from({ length: 2 }, () => [
      "dropped",
      "session/cancel",
      "params.sessionId",
    ]),
  );
});

test("what is thrown away and what is forgiven is told", async () => {
  const seen: Observed[] = [];
  const { wire } = client({}, { observe: (it) => seen.push(it) });
  const wrong = { sessionId: "s", update: { sessionUpdate: "plan" } };
  const forgiven = {
    sessionId: "s",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "t",
      kind: 5,
    },
  };
  const kinds = Object.values(ToolKind)
    .map((kind) => JSON.stringify(kind))
    .join(", ");
  await wire.send({ method: "session/update", params: wrong });
  await wire.send({ method: "session/update", params: forgiven });
  await wire.raw("no JSON");
  await wire.receive();
  await wire.raw("[]");
  await wire.receive();
  const trouble = seen.filter(({ type }) => !/received|sent/.test(type));
  assert.deepEqual(trouble, [
    {
      type: "dropped",
      method: "session/update",
      path: "params.update.entries",
      reason: "expected a required property, found nothing",
    },
    {
      type: "forgiven",
      method: "session/update",
      path: "params.update.kind",
      reason: `expected one of ${kinds}, found a number`,
    },
    { type: "dropped", path: "", reason: "it is not JSON: no JSON" },
    { type: "dropped", path: "", reason: "it is an empty batch" },
  ]);
});

test("what is forgiven in an answer is told", async () => {
  const seen: Observed[] = [];
  const observe = (it: Observed) => seen.push(it);
  const { wire, connection } = client({}, { observe });
  const call = connection.newSession({ cwd: "/", mcpServers: [] });
  await wire.receive();
  await wire.send({ id: 0, result: { sessionId: "s", modes: 5 } });
  await call;
  const forgiven = seen.filter(({ type }) => type === "forgiven");
  assert.equal(forgiven.length, 1);
  assert.equal((forgiven[0] as { path: string }).path, "result.modes");
});

test("an observer and a log that throw harm nobody", async () => {
  const no = () => {
    throw new Error("no");
  };
  const { wire } = agent({}, { observe: no, log: no });
  for (const id of [1, 2]) {
    await wire.send({ id, method: "session/prompt", params: prompt });
    assert.deepEqual((await wire.receive())?.["result"], done);
  }
});

test("a log has what passes, from whom to whom", async () => {
  const records: string[] = [];
  const { wire } = agent({}, { log: (record) => records.push(record) });
  await wire.send({ id: 1, method: "session/prompt", params: prompt });
  await wire.receive();
  await wire.raw('no "JSON"');
  await wire.receive();
  const read = records.map((record) => JSON.parse(record) as Json);
  for (const { time } of read) {
    assert.equal(new Date(time as string).toISOString(), time);
  }
  const told = read.map(({ from, to, message }) => ({ from, to, message }));
  const [asked, answered, nonsense] = told;
  assert.deepEqual(asked, {
    from: "client",
    to: "agent",
    message: {
      jsonrpc: "2.0",
      id: 1,
      method: "session/prompt",
      params: prompt,
    },
  });
  assert.deepEqual(answered, {
    from: "agent",
    to: "client",
    message: { jsonrpc: "2.0", id: 1, result: done },
  });
  assert.deepEqual(nonsense, {
    from: "client",
    to: "agent",
    message: 'no "JSON"',
  });
  assert.equal(told.length, 4);
});

test("nothing is printed unless it is asked for", async (context) => {
  const printed: unknown[][] = [];
  for (const method of ["log", "debug", "warn", "error"] as const) {
    context.mock.method(console, method, (...words: unknown[]) => {
      printed.push(words);
    });
  }
  const failing = {
    prompt() {
      throw new Error("secret");
    },
  };
  for (const log of [undefined, true]) {
    const options = log === undefined ? {} : { log };
    const { wire } = agent(failing, options);
    await wire.send({ id: 1, method: "session/prompt", params: prompt });
    await wire.receive();
    await wire.send({ method: "_unknown" }, { id: 9, result: 1 });
    await wire.raw("{");
    await wire.receive();
    const words = printed.splice(0).map(([first]) => first);
    const all = [
      "agent: session/prompt failed",
      "agent: _unknown is ignored: nothing handles it",
      "agent: no call waits for the response",
      "agent: a message is dropped: it is not JSON: {",
    ];
    assert.deepEqual(words, log === true ? all : []);
  }
});
