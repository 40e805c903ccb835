// Errors: what a call fails with, and what the peer is told.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type Observed, RequestError } from "acp";

import { agent, client, done, isKind, prompt } from "./wire.js";

test("errors have constructors", () => {
  assert.deepEqual(
    JSON.parse(JSON.stringify(RequestError.methodNotFound("x"))),
    {
      code: -32601,
      message: "Method not found",
      data: { method: "x" },
    },
  );
  const data = { path: "params.cwd", expected: "a string", found: "a number" };
  assert.deepEqual(
    [
      RequestError.methodNotFound("x/y"),
      new RequestError(-32601, '"Method not found": x/y', { method: "x/y" }),
      new RequestError(-32601, "No", ["x/y"]),
      RequestError.invalidParams(data),
      RequestError.invalidParams({ ...data, path: "" }),
      RequestError.invalidParams({ ...data, path: 1 }),
      new RequestError(1, "no", { ...data, method: "x/y" }),
      RequestError.resourceNotFound("file:///a"),
      new RequestError(-32002, "No a", { uri: "a" }),
      new RequestError(-32002, "No", { uri: 1, path: "a" }),
      RequestError.resourceNotFound(),
    ].map(String),
    [
      "RequestError: Method not found: x/y (-32601)",
      'RequestError: "Method not found": x/y (-32601)',
      "RequestError: No (-32601)",
      "RequestError: Invalid params: params.cwd: expected a string, found a number (-32602)",
      "RequestError: Invalid params: expected a string, found a number (-32602)",
      "RequestError: Invalid params (-32602)",
      "RequestError: no (1)",
      "RequestError: Resource not found: file:///a (-32002)",
      "RequestError: No a (-32002)",
      "RequestError: No (-32002)",
      "RequestError: Resource not found (-32002)",
    ],
  );
  const error = RequestError.authRequired(undefined, "log in");
  assert.deepEqual(
    { ...error.toJSON() },
    { code: -32000, message: "Auth required: log in" },
  );
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

test("what a handler throws is told to the peer if that is wanted", async () => {
  const details = "disk full";
  for (const thrown of [new Error(details), { message: details }, details]) {
    const handler = {
      prompt() {
        throw thrown;
      },
    };
    for (const errorDetails of [false, true]) {
      const { wire } = agent(handler, { errorDetails });
      await wire.send({ id: 1, method: "session/prompt", params: prompt });
      const told = { code: -32603, message: "Internal error" };
      const error = errorDetails ? { ...told, data: { details } } : told;
      assert.deepEqual((await wire.receive())?.["error"], error);
    }
  }
});

test("an error says which call it answers", async () => {
  const { wire, connection } = client({});
  const call = connection.extMethod("_a", {});
  await wire.receive();
  const refused = RequestError.methodNotFound("_a");
  await wire.send({ id: 0, error: refused.toJSON() });
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof RequestError);
  assert.deepEqual([refused.call, error.call], [undefined, "_a"]);
  const said = "Method not found: _a (-32601)";
  assert.equal(String(refused), `RequestError: ${said}`);
  assert.equal(String(error), "RequestError: _a: Method not found (-32601)");
  assert.deepEqual(error.toJSON(), refused.toJSON());
});

test("a method that is not found can have other data", () => {
  const error = RequestError.methodNotFound("a", { b: 1 }, "never");
  const message = "Method not found: never";
  assert.deepEqual(error.toJSON(), { code: -32601, message, data: { b: 1 } });
});

test("a handler may throw what has no words", async () => {
  const thrown: unknown = Object.create(null);
  const handler = {
    prompt() {
      throw thrown;
    },
  };
  const { wire } = agent(handler, { errorDetails: true });
  await wire.send({ id: 1, method: "session/prompt", params: prompt });
  const error = (await wire.receive())?.["error"] as RequestError;
  assert.deepEqual(error.data, { details: "object" });
});

test("an error with a code that is none of JSON-RPC is an internal one", async () => {
  const thrown: unknown[] = [
    new RequestError("7" as unknown as number, "x"),
    new RequestError(2 ** 31, "x"),
    new RequestError(0.5, "x"),
  ];
  for (const error of thrown) {
    const handler = {
      prompt() {
        throw error;
      },
    };
    const { wire } = agent(handler);
    await wire.send({ id: 1, method: "session/prompt", params: prompt });
    const answered = await wire.receive();
    assert.deepEqual(answered?.["error"], {
      code: -32603,
      message: "Internal error",
    });
  }
});

test("params that cannot be written say why", async () => {
  const { connection } = client({});
  const circle: Record<string, unknown> = {};
  circle["circle"] = circle;
  await assert.rejects(connection.extMethod("_a", circle), {
    kind: "params",
    message: /^the params of _a cannot be written: .*circular/,
  });
});

test("half a surrogate pair is not sent", async () => {
  const half = "\ud83d";
  const here = client({});
  const calls = [
    here.connection.extMethod("_a", { [half]: 1 }),
    here.connection.extNotification("_b", { text: `\\${half}` }),
  ];
  for (const call of calls) {
    await assert.rejects(call, {
      kind: "params",
      message: /^the params of _[ab] cannot be written: half a surrogate pair$/,
    });
  }
  const results: (() => object)[] = [
    () => ({ stopReason: half }),
    () => {
      throw new RequestError(7, half);
    },
    () => {
      throw new RequestError(7, "x", { text: [half] });
    },
  ];
  for (const result of results) {
    const { wire } = agent({ prompt: () => result() as never });
    await wire.send({ id: 1, method: "session/prompt", params: prompt });
    const told = { code: -32603, message: "Internal error" };
    assert.deepEqual((await wire.receive())?.["error"], told);
  }
});

test("an error without an id is for no call", async () => {
  const seen: Observed[] = [];
  const observe = (it: Observed) => seen.push(it);
  const { wire, connection } = client({}, { observe });
  const error = { code: -32600, message: "no batches" };
  const batch = connection.batch((batch) => [
    batch.extMethod("_a", {}),
    batch.extMethod("_b", {}),
  ]);
  const single = connection.extMethod("_c", {});
  for (const _ of [1, 2]) await wire.receive();
  await wire.send({ id: null, error });
  await wire.send({ error });
  for (const id of [0, 1, 2]) await wire.send({ id, result: { id } });
  assert.deepEqual(await Promise.all(batch), [{ id: 0 }, { id: 1 }]);
  assert.deepEqual(await single, { id: 2 });
  const unexpected = { type: "unexpected", id: null };
  assert.deepEqual(
    seen.filter(({ type }) => type === "unexpected"),
    [unexpected, unexpected],
  );
});
