// What the other end is told of from its start to its end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ToolCallProgress } from "acp";

import { agent, isKind, type Json, type Wire } from "./wire.js";

const opening = { sessionId: "s", toolCallId: "t", title: "Run" };
const opened = {
  sessionUpdate: "tool_call",
  toolCallId: "t",
  title: "Run",
  status: "in_progress",
};

/** The change that says how far it has come. */
const changed = (status: string, more: Json = {}) => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "t",
  status,
  ...more,
});

/** What is told next. */
async function told(wire: Wire): Promise<unknown> {
  const { params } = (await wire.receive()) ?? {};
  const { sessionId, update } = params as Json;
  assert.equal(sessionId, "s");
  return update;
}

test("it ends with what was to be done", async () => {
  const { wire, connection } = agent({});
  const done = connection.toolCallProgress(opening, async (call) => {
    await call.update({ title: "Walk" });
    return 5;
  });
  assert.deepEqual(await told(wire), opened);
  assert.deepEqual(await told(wire), {
    sessionUpdate: "tool_call_update",
    toolCallId: "t",
    title: "Walk",
  });
  assert.deepEqual(await told(wire), changed("completed"));
  assert.equal(await done, 5);
});

test("the first end counts", async () => {
  const { wire, connection } = agent({});
  const params = { ...opening, status: "pending" as const };
  const started = ToolCallProgress.start(connection, params);
  assert.deepEqual(await told(wire), { ...opened, status: "pending" });
  const call = await started;
  await call.fail({ title: "Fell" });
  await call.complete();
  await call.update({ title: "Late" });
  await call.cancel();
  await connection.extNotification("_next", {});
  assert.deepEqual(await told(wire), changed("failed", { title: "Fell" }));
  assert.equal((await wire.receive())?.["method"], "_next");
});

test("what throws has failed", async () => {
  const { wire, connection } = agent({});
  const failed = connection.toolCallProgress(opening, () => {
    throw new RangeError("no");
  });
  await assert.rejects(failed, RangeError);
  assert.deepEqual(await told(wire), opened);
  assert.deepEqual(await told(wire), changed("failed"));
});

test("a signal ends it at once", async () => {
  const { wire, connection } = agent({});
  const turn = new AbortController();
  const { signal } = turn;
  const forever = new Promise<void>(() => {});
  const work = () => forever;
  const ended = connection.toolCallProgress(opening, work, { signal });
  assert.deepEqual(await told(wire), opened);
  // It is listened to once it has begun.
  await new Promise((resolve) => setImmediate(resolve));
  turn.abort();
  assert.deepEqual(await told(wire), changed("failed"));
  const never = connection.toolCallProgress(opening, () => 1, { signal });
  await assert.rejects(never, { name: "AbortError" });
  void ended;
});

test("an error goes on without a connection", async () => {
  const { wire, connection } = agent({});
  const failed = connection.toolCallProgress(opening, async () => {
    await connection.close();
    throw new RangeError("no");
  });
  assert.deepEqual(await told(wire), opened);
  await assert.rejects(failed, RangeError);
  const never = connection.toolCallProgress(opening, () => 1);
  await assert.rejects(never, isKind("closed"));
});
