// What a connection may be over, other than bytes: messages, ports, the same program.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import {
  AgentSideConnection,
  type AnyMessage,
  ClientSideConnection,
  messageStream,
  ndJsonStream,
  portStream,
  streamPair,
} from "acp";

import {
  done,
  gate,
  prompt,
  quietAgent,
  quietClient,
  settled,
} from "./wire.js";

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

test("parsed messages that are taken for bytes end a connection with words", async () => {
  for (const chunk of [{ jsonrpc: "2.0", id: 0, result: {} }, "{}\n"]) {
    const there = new TransformStream<Uint8Array, Uint8Array>();
    const back = new TransformStream<unknown, Uint8Array>();
    const connection = new ClientSideConnection(
      () => quietClient,
      ndJsonStream(there.writable, back.readable),
    );
    const call = connection.prompt(prompt);
    await back.writable.getWriter().write(chunk);
    await assert.rejects(call, {
      kind: "closed",
      message:
        "connection closed: no bytes came in: messageStream is for parsed messages",
    });
  }
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

test("a worker that fails ends the connection, and not the program", async () => {
  const cases = [
    ["throw new Error('no model')", "connection closed: worker: no model"],
    ["process.exit(4)", "connection closed: worker: exit code 4"],
    ["process.exit(0)", "connection closed"],
  ] as const;
  for (const [code, message] of cases) {
    const connection = new ClientSideConnection(
      () => quietClient,
      portStream(new Worker(code, { eval: true })),
    );
    await assert.rejects(connection.prompt(prompt), {
      name: "ConnectionError",
      kind: "closed",
      message,
    });
    await connection.close();
  }
});

/** A worker as browsers have them, which never answers. */
class BrowserWorker extends EventTarget {
  postMessage(): void {}
}

/** An event with what browsers say in it. */
function told(type: string, members: object = {}): Event {
  return Object.assign(new Event(type), members);
}

test("a worker of a browser that fails ends the connection", async () => {
  const message = "Uncaught SyntaxError: Unexpected token ')'";
  const filename = "https://example.com/worker.js";
  const cases = [
    [told("error"), "its script cannot be loaded"],
    [told("error", { message }), message],
    [
      told("error", { message, filename, lineno: 3 }),
      `${message} (${filename}:3)`,
    ],
    [told("messageerror", { data: null }), "a message cannot be read"],
  ] as const;
  for (const [event, how] of cases) {
    const worker = new BrowserWorker();
    const connection = new ClientSideConnection(
      () => quietClient,
      portStream(worker),
    );
    const call = connection.prompt(prompt);
    worker.dispatchEvent(event);
    const failed = {
      name: "ConnectionError",
      kind: "closed",
      message: `connection closed: worker: ${how}`,
    };
    await assert.rejects(call, failed);
    await assert.rejects(connection.prompt(prompt), failed);
    await connection.close();
  }
});

test("failures of a worker's own end none of its connections", () => {
  const listened: string[] = [];
  const scope = Object.assign(globalThis, {
    addEventListener(type: string) {
      listened.push(type);
    },
    postMessage() {},
  });
  try {
    portStream(scope);
  } finally {
    for (const name of ["addEventListener", "postMessage"])
      Reflect.deleteProperty(globalThis, name);
  }
  assert.deepEqual(listened.sort(), ["close", "message", "messageerror"]);
});
