import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AgentSideConnection,
  type AnyMessage,
  ClientSideConnection,
  ConnectionError,
  messageStream,
  type Observed,
  portStream,
  streamPair,
  ToolKind,
} from "acp";

import {
  agent,
  client,
  done,
  gate,
  type Json,
  prompt,
  quietAgent,
  quietClient,
  settled,
  update,
} from "./wire.js";

const isKind = (kind: string) => (error: unknown) =>
  error instanceof ConnectionError && error.kind === kind;

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
    { type: "dropped", path: "", reason: "not JSON" },
    { type: "dropped", path: "", reason: "an empty batch" },
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
      "agent: the handler of session/prompt failed",
      "agent: _unknown ignored: nothing handles it",
      "agent: no call waits for the response to",
      "agent: a message dropped: not JSON",
    ];
    assert.deepEqual(words, log === true ? all : []);
  }
});

test("what a handler throws is told to the peer if that is wanted", async () => {
  const handler = {
    prompt() {
      throw new Error("disk full");
    },
  };
  for (const errorDetails of [false, true]) {
    const { wire } = agent(handler, { errorDetails });
    await wire.send({ id: 1, method: "session/prompt", params: prompt });
    const told = { code: -32603, message: "Internal error" };
    const data = { details: "disk full" };
    const error = errorDetails ? { ...told, data } : told;
    assert.deepEqual((await wire.receive())?.["error"], error);
  }
});

test("a call that is too long fails at once", async () => {
  const { wire, connection } = client({}, { maxLine: 300 });
  const long = (text: string) => ({
    sessionId: "s",
    prompt: [{ type: "text" as const, text }],
  });
  const isTooLong = (error: unknown) =>
    isKind("too-long")(error) && /300/.test((error as Error).message);
  await assert.rejects(connection.prompt(long("x".repeat(300))), isTooLong);
  await assert.rejects(connection.prompt(long("ö".repeat(140))), isTooLong);
  const notified = connection.cancel({ sessionId: "s".repeat(300) });
  await assert.rejects(notified, isTooLong);
  // Each would do, but not both of them.
  const both = connection.batch((batch) => [
    batch.extMethod("_a", { text: "x".repeat(120) }).catch(String),
    batch.extMethod("_a", { text: "x".repeat(120) }).catch(String),
  ]);
  for (const failure of await Promise.all(both)) {
    assert.match(String(failure), /the batch takes \d+ bytes, .*300/);
  }
  // The connection goes on.
  const call = connection.prompt(long("x"));
  const { id } = (await wire.receive()) as { id: number };
  await wire.send({ id, result: done });
  await call;
});

test("an answer that is too long is an error", async () => {
  const seen: Observed[] = [];
  const { wire } = agent(
    { extMethod: (_, params) => ({ ...params, y: params["x"] }) },
    { maxLine: 300, observe: (it) => seen.push(it) },
  );
  const request = { id: 1, method: "_echo", params: { x: "ä".repeat(90) } };
  await wire.send(request);
  const { error } = (await wire.receive()) ?? {};
  assert.equal((error as { code: number }).code, -32603);
  assert.ok(seen.some(({ type }) => type === "failed"));
  const entry = `"method":"_echo","params":{"x":"${"a".repeat(70)}"}}`;
  await wire.raw(`[{"id":1,${entry},{"id":2,${entry}]`);
  const answers = (await wire.receive()) as unknown as Json[];
  assert.deepEqual(
    answers.map(({ id, error }) => [id, (error as { code: number }).code]),
    [
      [1, -32603],
      [2, -32603],
    ],
  );
});

test("a request over the limit is answered with its own id", async () => {
  const { wire } = agent({}, { maxLine: 100 });
  const filler = "x".repeat(100);
  for (const [line, id] of [
    [`{"jsonrpc":"2.0","id":"a","method":"m","params":"${filler}"}`, "a"],
    [`{"id":7,"params":"${filler}"}`, 7],
    [`{"method":"m","params":"${filler}","id":7}`, 7],
    [`{"method":"m","params":"${filler}"}`, null],
    [`[{"id":7,"method":"m","params":"${filler}"}]`, null],
    [`{"id":{},"method":"m","params":"${filler}"}`, null],
    [`{"id" nonsense ${filler}`, null],
  ] as const) {
    await wire.raw(line);
    const answer = await wire.receive();
    assert.deepEqual(answer?.["id"], id, line);
    assert.equal((answer["error"] as { code: number }).code, -32600);
  }
});

test("an answer over the limit fails its call", async () => {
  const { wire, connection } = client({}, { maxLine: 300 });
  const call = connection.prompt(prompt);
  await wire.receive();
  await wire.send({ id: 0, result: { stopReason: "x".repeat(400) } });
  await assert.rejects(call, isKind("malformed"));
});

test("an answer that cannot be read fails its call", async () => {
  const seen: string[] = [];
  const { wire, connection } = client(
    {},
    { maxDepth: 6, observe: ({ type }) => seen.push(type) },
  );
  const call = connection.prompt(prompt);
  await wire.receive();
  await wire.raw('{"id":7,"result":[[[[[[1]]]]]]}');
  assert.equal(
    ((await wire.receive())?.["error"] as { code: number }).code,
    -32700,
  );
  await wire.raw('{"result":[[[[[[1]]]]]],"id":0}');
  await assert.rejects(call, isKind("malformed"));
  assert.equal(seen.filter((type) => type === "dropped").length, 2);
});

test("a connection may have no batches", async () => {
  const { wire } = agent({}, { batches: false });
  await wire.raw('[{"id":1,"method":"_a"},{"method":"_b"}]');
  const answer = await wire.receive();
  assert.equal(answer?.["id"], null);
  assert.equal((answer["error"] as { code: number }).code, -32600);
  const { wire: sent, connection } = client({}, { batches: false });
  const batch = connection.batch((them) => [them.extMethod("_a", {})]);
  await assert.rejects(batch[0] as Promise<unknown>, isKind("not-in-batch"));
  await connection.cancel({ sessionId: "s" });
  assert.equal((await sent.receive())?.["method"], "session/cancel");
});

test("what cancels a turn is not ignored", async () => {
  const seen: string[] = [];
  const { wire } = agent({}, { observe: ({ type }) => seen.push(type) });
  await wire.send({ method: "session/cancel", params: { sessionId: "s" } });
  await wire.send({ method: "_note" });
  await settled();
  assert.deepEqual(seen, ["received", "received", "ignored"]);
});

test("an error without an id fails what it can only be meant for", async () => {
  const seen: Observed[] = [];
  const observe = (it: Observed) => seen.push(it);
  const { wire, connection } = client({}, { observe });
  const error = { code: -32600, message: "no batches" };
  const first = connection.batch((batch) => [
    batch.extMethod("_a", {}).catch(String),
    batch.extMethod("_b", {}).catch(String),
  ]);
  const second = connection.batch((batch) => batch.extMethod("_c", {}));
  const single = connection.extMethod("_d", {});
  for (const _ of [1, 2, 3]) await wire.receive();
  await wire.send({ id: null, error });
  for (const failure of await Promise.all(first)) {
    assert.match(String(failure), /no batches/);
  }
  await wire.send({ id: 2, result: {} });
  await second;
  await wire.send({ id: null, error });
  await assert.rejects(single, error);
  // Of several, it may be any.
  const calls = [
    connection.extMethod("_e", {}),
    connection.extMethod("_f", {}),
  ];
  await wire.receive();
  await wire.receive();
  await wire.send({ id: null, error });
  await wire.send({ id: 4, result: {} }, { id: 5, result: {} });
  await Promise.all(calls);
  assert.deepEqual(
    seen.filter(({ type }) => type === "unexpected"),
    [{ type: "unexpected", id: null }],
  );
});

test("a cancelled call can wait for its answer", async () => {
  const { wire, connection } = client({});
  const controller = new AbortController();
  const { signal } = controller;
  const call = connection.prompt(prompt, { signal, wait: true });
  await wire.receive();
  controller.abort();
  const cancel = await wire.receive();
  assert.equal(cancel?.["method"], "$/cancel_request");
  assert.deepEqual(cancel["params"], { requestId: 0 });
  await wire.send({ id: 0, result: { stopReason: "cancelled" } });
  assert.deepEqual(await call, { stopReason: "cancelled" });
});

test("a call has a time limit by a signal", async () => {
  const { wire, connection } = client({});
  const signal = AbortSignal.timeout(1);
  // Such a signal does not keep Node running.
  const alive = setTimeout(() => {}, 10_000);
  const call = connection.prompt(prompt, { signal });
  await assert.rejects(call, { name: "TimeoutError" });
  clearTimeout(alive);
  await wire.receive();
  assert.equal((await wire.receive())?.["method"], "$/cancel_request");
});

for (const isConcurrent of [true, false]) {
  const held = isConcurrent ? "does not hold" : "holds";
  test(`a slow handler ${held} back what comes after it`, async () => {
    const slow = gate();
    const begun: string[] = [];
    const { wire } = client(
      {
        async sessionUpdate({ update }) {
          begun.push(JSON.stringify(update).includes("a") ? "begun" : "");
          await slow.opened;
        },
        requestPermission() {
          begun.push("asked");
          return { outcome: { outcome: "cancelled" } };
        },
      },
      { concurrent: isConcurrent ? ["session/update"] : [] },
    );
    await wire.send(update("1"), update("2"), {
      id: 1,
      method: "session/request_permission",
      params: { sessionId: "s", options: [], toolCall: { toolCallId: "t" } },
    });
    await settled();
    const all = ["begun", "begun", "asked"];
    assert.deepEqual(begun, isConcurrent ? all : ["begun"]);
    slow.open();
    assert.equal((await wire.receive())?.["id"], 1);
  });
}

test("two ends within a program talk, and a slow one slows the other", async () => {
  const [near, far] = streamPair();
  const slow = gate();
  let updates = 0;
  const connection = new ClientSideConnection(
    () => ({
      ...quietClient,
      async sessionUpdate() {
        await slow.opened;
        updates += 1;
      },
    }),
    near,
    { maxRequests: 4, maxBuffered: 1000 },
  );
  let sent = 0;
  const other = new AgentSideConnection(
    () => ({
      ...quietAgent,
      async prompt(_, { client }) {
        for (; sent < 200; sent += 1) {
          await client.sessionUpdate({
            sessionId: "s",
            update: {
              sessionUpdate: "current_mode_update",
              currentModeId: "m",
            },
          });
        }
        return { stopReason: "end_turn" };
      },
    }),
    far,
    { maxBuffered: 1000 },
  );
  const call = connection.prompt(prompt);
  await settled();
  await settled();
  assert.ok(sent < 200, `${sent} were sent`);
  slow.open();
  assert.deepEqual(await call, done);
  assert.equal(updates, 200);
  await connection.close();
  await other.closed;
});

test("a connection may be over parsed messages", async () => {
  const there = new TransformStream<AnyMessage, AnyMessage>();
  const back = new TransformStream<AnyMessage, AnyMessage>();
  const connection = new ClientSideConnection(
    () => quietClient,
    messageStream(there.writable, back.readable),
  );
  const reader = there.readable.getReader();
  const writer = back.writable.getWriter();
  const batch = connection.batch((all) => [
    all.extMethod("_a", {}),
    all.extMethod("_b", {}),
  ]);
  assert.deepEqual((await reader.read()).value, [
    { jsonrpc: "2.0", id: 0, method: "_a", params: {} },
    { jsonrpc: "2.0", id: 1, method: "_b", params: {} },
  ]);
  await writer.write({ jsonrpc: "2.0", id: 0, result: { a: 1 } });
  await writer.write({ jsonrpc: "2.0", id: 1, result: {} });
  assert.deepEqual(await Promise.all(batch), [{ a: 1 }, {}]);
  // What cannot be JSON is answered as such.
  const circle: Record<string, unknown> = {};
  circle["circle"] = circle;
  await writer.write(circle as unknown as AnyMessage);
  const { value } = await reader.read();
  assert.equal((value as { error: { code: number } }).error.code, -32700);
  const closed = connection.close();
  assert.equal((await reader.read()).done, true);
  await closed;
});

test("parsed messages keep integers that numbers do not hold", async () => {
  const there = new TransformStream<AnyMessage, AnyMessage>();
  const back = new TransformStream<AnyMessage, AnyMessage>();
  const connection = new ClientSideConnection(
    () => quietClient,
    messageStream(there.writable, back.readable),
    { bigIntegers: true },
  );
  const reader = there.readable.getReader();
  const writer = back.writable.getWriter();
  const big = 2n ** 60n;
  const call = connection.extMethod("_a", { big });
  const sent = { jsonrpc: "2.0", id: 0, method: "_a", params: { big } };
  assert.deepEqual((await reader.read()).value, sent);
  const answer = { jsonrpc: "2.0", id: 0, result: { big } };
  await writer.write(answer as unknown as AnyMessage);
  assert.deepEqual(await call, { big });
  await connection.close();
});

test("a connection may be over message ports", async () => {
  const { port1, port2 } = new MessageChannel();
  const connection = new ClientSideConnection(
    () => quietClient,
    portStream(port1),
  );
  const other = new AgentSideConnection(() => quietAgent, portStream(port2));
  assert.deepEqual(await connection.prompt(prompt), done);
  await connection.close();
  await other.closed;
});
