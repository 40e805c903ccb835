// Terminals: what a call opened is an object with calls of its own.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { CreateTerminalResponse, TerminalHandle } from "acp";

import { agent } from "./wire.js";

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
  assert.equal(terminal.id, "t");
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
