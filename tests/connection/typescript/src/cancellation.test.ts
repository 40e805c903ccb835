// Cancellation: of calls, of handlers, and of the turns of a session.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RequestError } from "acp";

import {
  agent,
  client,
  done,
  gate,
  type Json,
  prompt,
  settled,
} from "./wire.js";

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
  // No handler gets it: it is answered at once.
  const { id, error } = (await wire.receive()) ?? {};
  assert.deepEqual([id, (error as { code: number }).code], [2, -32800]);
  slow.open();
  assert.equal((await wire.receive())?.["id"], 1);
  assert.deepEqual(seen, [false]);
});

test("wrong params are told, whether somebody still waits or not", async () => {
  const { wire } = agent({});
  await wire.send(
    { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: 7 } },
    { id: 2, method: "session/prompt", params: { sessionId: "t", prompt: 7 } },
    { method: "$/cancel_request", params: { requestId: 1 } },
    { method: "session/cancel", params: { sessionId: "t" } },
  );
  for (const id of [1, 2]) {
    const { id: answered, error } = (await wire.receive()) ?? {};
    assert.deepEqual(
      [answered, (error as { code: number }).code],
      [id, -32602],
    );
  }
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

test("what cancels a turn is not ignored", async () => {
  const seen: string[] = [];
  const { wire } = agent({}, { observe: ({ type }) => seen.push(type) });
  await wire.send({ method: "session/cancel", params: { sessionId: "s" } });
  await wire.send({ method: "_note" });
  await settled();
  assert.deepEqual(seen, ["received", "received", "ignored"]);
});

test("who cancels a turn no longer asks its user", async () => {
  const { wire, connection } = client({
    // Whether it listens or not.
    requestPermission: ({ sessionId }, { signal }) =>
      sessionId === "s" ? new Promise(() => undefined) : aborted(signal),
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
