// Backpressure: a slow side slows the other.

import assert from "node:assert/strict";
import { test } from "node:test";

import { agent, client, done, gate, prompt, settled, update } from "./wire.js";

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

test("what waits to be written is counted in bytes", async () => {
  const maxBuffered = 60_000;
  for (const character of ["x", "\u00f6", "\u20ac", "\u{1f600}"]) {
    const lines: string[] = [];
    const { wire, connection } = agent(
      {},
      {
        maxBuffered,
        observe: (it) => it.type === "sent" && lines.push(it.line),
      },
    );
    const text = character.repeat(500);
    const { params } = update(text);
    const sending = Array.from({ length: 200 }, () =>
      connection.sessionUpdate(params as never),
    );
    // None was written yet: the next waits once there are more bytes than that.
    const size = Buffer.byteLength(`${String(lines[0])}\n`);
    assert.ok(size > Buffer.byteLength(text));
    assert.equal(lines.length, Math.floor(maxBuffered / size) + 1, character);
    for (const _ of sending) await wire.receive();
    await Promise.all(sending);
  }
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
