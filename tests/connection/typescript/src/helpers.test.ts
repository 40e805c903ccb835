// Functions beside a call: what is chosen, and files where the client has none.

import assert from "node:assert/strict";
import { mkdtemp, readFile as read, rm, writeFile as write } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { type PermissionOption } from "acp";
import { readFile, writeFile } from "acp/files";

import { agent, type Json, type Wire } from "./wire.js";

const options: PermissionOption[] = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "a", name: "Always", kind: "allow_always" },
  { optionId: "n", name: "No", kind: "reject_once" },
];
const params = { sessionId: "s", toolCall: { toolCallId: "t" }, options };

/** What a call results in that is answered so. */
async function answered<T>(wire: Wire, call: Promise<T>, answer: Json) {
  const { id } = (await wire.receive()) ?? {};
  await wire.send({ id, ...answer });
  return call;
}

/** An agent whose client has said what it can do. */
async function told(clientCapabilities: Json) {
  const { wire, connection } = agent({});
  const params = { protocolVersion: 1, clientCapabilities };
  await wire.send({ id: 0, method: "initialize", params });
  await wire.receive();
  return { wire, connection };
}

/** A file that is there for a test. */
async function file(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "acp-files-"));
  context.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  await write(path, "one\r\ntwo\nthrée");
  return path;
}

test("what is chosen is given", async () => {
  const { wire, connection } = agent({});
  const chosen = async (outcome: Json) => {
    const answer = { result: { outcome } };
    const option = await answered(wire, connection.choosePermission(params), answer);
    const yes = await answered(wire, connection.askPermission(params), answer);
    return [option, yes];
  };
  for (const [index, means] of [true, true, false].entries()) {
    const option = options[index];
    const outcome = { outcome: "selected", optionId: option?.optionId };
    assert.deepEqual(await chosen(outcome), [option, means]);
  }
  assert.deepEqual(await chosen({ outcome: "cancelled" }), [undefined, false]);
  await assert.rejects(
    chosen({ outcome: "selected", optionId: "x" }),
    { kind: "malformed", message: /`x` was not offered/ },
  );
});

test("the client is asked for a file", async (context) => {
  const path = await file(context);
  const fs = { readTextFile: true, writeTextFile: true };
  const { wire, connection } = await told({ fs });
  const reading = readFile(connection, { sessionId: "s", path });
  const result = { content: "unsaved" };
  assert.equal(await answered(wire, reading, { result }), "unsaved");
  const writing = writeFile(connection, { sessionId: "s", path, content: "new" });
  await answered(wire, writing, { result: {} });
  assert.match(await read(path, "utf8"), /^one/);
  const refused = readFile(connection, { sessionId: "s", path });
  const error = { code: -32603, message: "No" };
  await assert.rejects(answered(wire, refused, { error }), { code: -32603 });
});

test("the disk is used where the client has no files", async (context) => {
  const path = await file(context);
  const { connection } = await told({});
  const lines = (part: { line?: number; limit?: number }) =>
    readFile(connection, { sessionId: "s", path, ...part });
  assert.equal(await lines({}), "one\r\ntwo\nthrée");
  assert.equal(await lines({ line: 2 }), "two\nthrée");
  assert.equal(await lines({ line: 2, limit: 1 }), "two\n");
  assert.equal(await lines({ limit: 1 }), "one\r\n");
  assert.equal(await lines({ line: 9 }), "");
  await writeFile(connection, { sessionId: "s", path, content: "a\r\nb\n" });
  assert.equal(await read(path, "utf8"), "a\r\nb\n");
  const gone = readFile(connection, { sessionId: "s", path: `${path}-gone` });
  await assert.rejects(gone, { code: "ENOENT" });
  await write(path, Uint8Array.of(255));
  await assert.rejects(lines({}), TypeError);
});

test("a client without the method has no files", async (context) => {
  const path = await file(context);
  const { wire, connection } = await told({ fs: { readTextFile: true } });
  const error = { code: -32601, message: "Method not found" };
  const reading = readFile(connection, { sessionId: "s", path, limit: 1 });
  assert.equal(await answered(wire, reading, { error }), "one\r\n");
});
