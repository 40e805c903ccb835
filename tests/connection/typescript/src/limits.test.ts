// Messages that are too long, or nested too deeply.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type Observed, RequestError } from "acp";

import { agent, client, done, isKind, type Json, prompt } from "./wire.js";

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
    assert.match(
      String(failure),
      /a message of \d+ bytes is over the limit of 300/,
    );
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
    {
      extMethod: (method, params) => {
        const x = String(params["x"]);
        if (method === "_throw") throw new RequestError(-32000, x + x + x);
        return { ...params, y: x };
      },
    },
    { maxLine: 300, observe: (it) => seen.push(it) },
  );
  const request = { id: 1, method: "_echo", params: { x: "ä".repeat(90) } };
  await wire.send(request);
  const { error } = (await wire.receive()) ?? {};
  assert.equal((error as { code: number }).code, -32603);
  await wire.send({ id: 2, method: "_throw", params: { x: "ä".repeat(60) } });
  const wordy = ((await wire.receive()) ?? {})["error"];
  assert.equal((wordy as { code: number }).code, -32603);
  const failures = seen.flatMap((it) => (it.type === "failed" ? [it] : []));
  assert.deepEqual(
    failures.map(({ method, error }) => [method, (error as Error).message]),
    [
      ["_echo", "an answer over the limit of 300 bytes"],
      ["_throw", "an answer over the limit of 300 bytes"],
    ],
  );
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
