// Batches: several calls in one message.

import assert from "node:assert/strict";
import { test } from "node:test";

import { agent, client, isKind, prompt } from "./wire.js";

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
