// The end of a connection.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ClientSideConnection, type RequestError } from "acp";

import { client, isKind, prompt, settled } from "./wire.js";

test("the end fails calls, cancels handlers, and hangs nothing", async () => {
  const { wire, connection } = client({
    requestPermission: () => new Promise(() => {}),
  });
  const call = connection.prompt(prompt);
  await wire.receive();
  await wire.send({
    id: 1,
    method: "session/request_permission",
    params: { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] },
  });
  await wire.end();
  await assert.rejects(call, isKind("closed"));
  assert.equal(connection.signal.aborted, true);
  assert.equal(
    ((await wire.receive())?.["error"] as RequestError).code,
    -32800,
  );
  assert.equal(await wire.receive(), undefined);
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
  await assert.rejects(connection.cancel({ sessionId: "s" }), isKind("closed"));
});

test("calls to a peer that says nothing more fail though it does not read", async () => {
  const { wire, connection } = client({}, { maxBuffered: 1000 });
  // The first is being written, the second is more than what may wait, so that
  // the third is not written.
  const calls = [5000, 2000, 10].map((size) => {
    const text = "x".repeat(size);
    return connection.prompt({
      sessionId: "s",
      prompt: [{ type: "text", text }],
    });
  });
  await settled();
  await wire.end();
  for (const call of calls) await assert.rejects(call, isKind("closed"));
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
});

test("closing says everything first", async () => {
  const { wire, connection } = client({});
  void connection.cancel({ sessionId: "s" });
  const closed = connection.close();
  assert.equal((await wire.receive())?.["method"], "session/cancel");
  assert.equal(await wire.receive(), undefined);
  await closed;
});

test("what ends a connection is said by each call", async () => {
  const trouble = new Error("the cable is cut");
  const handler = {
    sessionUpdate() {},
    requestPermission: () => Promise.reject(trouble),
  };
  const connection = new ClientSideConnection(() => handler, {
    readable: new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.error(trouble);
      },
    }),
    writable: new WritableStream(),
  });
  const expected = {
    kind: "closed",
    message: "connection closed: the cable is cut",
    cause: trouble,
  };
  await assert.rejects(connection.prompt(prompt), expected);
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), expected);
});
