// The order in which messages are handled, and what waits for what.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { ClientContext } from "acp";

import { agent, client, done, gate, prompt, settled, update } from "./wire.js";

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

test("a wrong name in concurrent is told when a connection is made", () => {
  const wrong = [
    "session/updates",
    "sessionUpdate",
    "session/cancel",
    "fs/read_text_file",
    "_x",
  ];
  for (const name of wrong) {
    assert.throws(
      () => client({}, { concurrent: ["session/update", name] }),
      new TypeError(
        `"${name}" in concurrent is no notification that this side handles: it handles ` +
          "session/update, elicitation/complete, and others only by a handler of last resort",
      ),
    );
  }
});

test("concurrent takes names that a handler of last resort gets", () => {
  const nothing = (): void => undefined;
  client({ extNotification: nothing }, { concurrent: ["_x"] });
  client({ unknownNotification: nothing }, { concurrent: ["_x", "other/x"] });
  assert.throws(() =>
    client({ extNotification: nothing }, { concurrent: ["other/x"] }),
  );
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
