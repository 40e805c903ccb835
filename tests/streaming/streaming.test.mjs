// What a client sees of a run whose output comes in pieces.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as sdk from "../typescript/dist/index.js";

/** A client at a server that sends the deltas of its input and gives its output. */
async function connected(handler = {}) {
  const [up, down] = [new TransformStream(), new TransformStream()];
  const client = new sdk.ClientSideConnection(() => handler, {
    readable: down.readable,
    writable: up.writable,
  });
  const seen = [];
  const server = {
    initialize: () => ({
      protocolVersion: "1",
      capabilities: { agents: {} },
      serverInfo: { name: "s", version: "1" },
    }),
    initialized() {},
    listAgents: () => ({ agents: [] }),
    async runAgent({ name, input, _meta }, context) {
      seen.push(_meta);
      const { deltas, output, stray } = input;
      for (const delta of deltas) {
        const progressToken = stray ?? _meta.progressToken;
        await context.client.runProgress({ progressToken, delta });
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      if (name === "fail") throw new sdk.RequestError(-32042, "no");
      if (name === "wait") await new Promise(() => {});
      return { output };
    },
  };
  new sdk.ServerSideConnection(() => server, {
    readable: up.readable,
    writable: down.writable,
  });
  const clientInfo = { name: "c", version: "1" };
  await client.initialize({ protocolVersion: "1", capabilities: {}, clientInfo });
  return { client, seen };
}

async function pieces(run) {
  const found = [];
  for await (const piece of run) found.push(piece);
  return found;
}

test("pieces come as they are, and make up the output", async () => {
  const { client, seen } = await connected();
  const deltas = [["he"], ["llo", "th"], [null], ["ere"], [null, "general"]];
  const output = ["hello", "there", "general"];
  const run = client.runAgentStreamed({ name: "a", input: { deltas, output } });
  assert.equal(run.output, undefined);
  assert.deepEqual(await pieces(run), deltas);
  assert.deepEqual(run.output, output);
  const finished = await run.finished;
  assert.deepEqual(finished, {
    result: { output },
    joined: output,
    differs: false,
    error: undefined,
  });
  assert.deepEqual(seen, [{ progressToken: run.token }]);
});

test("the output so far grows while the call is on its way", async () => {
  const { client } = await connected();
  const input = { deltas: ["a", "b", "c"], output: "abc" };
  const run = client.runAgentStreamed({ name: "a", input });
  const outputs = [];
  for await (const _ of run) outputs.push(run.output);
  assert.equal(outputs.length, 3);
  assert.ok(outputs.every((output, index) => "abc".startsWith(output) && output.length > index));
});

test("an output that differs is reported, and counts", async () => {
  const { client } = await connected();
  const input = { deltas: ["a", "b"], output: "abc" };
  const { result, joined, differs } = await client.runAgentStreamed({ name: "a", input }).finished;
  assert.deepEqual([result.output, joined, differs], ["abc", "ab", true]);
});

test("pieces that cannot be joined are reported, and still given", async () => {
  const { client } = await connected();
  const input = { deltas: ["a", 1, "b"], output: "ab" };
  const run = client.runAgentStreamed({ name: "a", input });
  assert.deepEqual(await pieces(run), ["a", 1, "b"]);
  const { joined, differs, error } = await run.finished;
  assert.deepEqual([joined, differs], ["a", true]);
  assert.ok(error instanceof sdk.JoinError);
});

test("without pieces there is nothing to compare", async () => {
  const { client } = await connected();
  const input = { deltas: [], output: { whole: true } };
  const { joined, differs } = await client.runAgentStreamed({ name: "a", input }).finished;
  assert.deepEqual([joined, differs], [undefined, false]);
});

test("runs at the same time keep apart", async () => {
  const { client } = await connected();
  const runs = ["x", "y", "z"].map((letter) => {
    const input = { deltas: [letter, letter], output: letter + letter };
    return client.runAgentStreamed({ name: "a", input });
  });
  const finished = await Promise.all(runs.map((run) => run.finished));
  assert.deepEqual(finished.map(({ joined }) => joined), ["xx", "yy", "zz"]);
  assert.equal(new Set(runs.map((run) => run.token)).size, 3);
});

test("a failure ends the pieces and fails the run", async () => {
  const { client } = await connected();
  const input = { deltas: ["a"], output: "" };
  const run = client.runAgentStreamed({ name: "fail", input });
  await assert.rejects(pieces(run), { code: -32042 });
  await assert.rejects(run.finished, { code: -32042 });
});

test("an aborted run fails with the reason", async () => {
  const { client } = await connected();
  const controller = new AbortController();
  const input = { deltas: ["a"], output: "" };
  const run = client.runAgentStreamed({ name: "wait", input }, { signal: controller.signal });
  const reason = new Error("enough");
  await assert.rejects(
    (async () => {
      for await (const piece of run) {
        assert.equal(piece, "a");
        controller.abort(reason);
      }
    })(),
    reason,
  );
});

test("what belongs to no run goes to the handler", async () => {
  const told = [];
  const { client } = await connected({ runProgress: (params) => void told.push(params) });
  const input = { deltas: [1, 2], output: 3, stray: "mine" };
  const { joined } = await client.runAgentStreamed({ name: "a", input }).finished;
  assert.equal(joined, undefined);
  assert.deepEqual(told, [
    { progressToken: "mine", delta: 1 },
    { progressToken: "mine", delta: 2 },
  ]);
});

test("pieces wait for no handler", async () => {
  const found = [];
  const { client } = await connected({
    async runProgress() {
      const abort = new AbortController();
      const inner = { name: "wait", input: { deltas: ["a"], output: "" } };
      const run = client.runAgentStreamed(inner, { signal: abort.signal });
      run.finished.catch(() => undefined);
      for await (const piece of run) {
        found.push(piece);
        break;
      }
      abort.abort();
    },
  });
  const input = { deltas: [1], output: 2, stray: "mine" };
  await client.runAgentStreamed({ name: "a", input }).finished;
  assert.deepEqual(found, ["a"]);
});

test("what nothing handles is ignored, whatever it says", async () => {
  const [up, down] = [new TransformStream(), new TransformStream()];
  const seen = [];
  const observe = ({ type, method }) => type === "received" || seen.push([type, method]);
  const stream = { readable: down.readable, writable: up.writable };
  const client = new sdk.ClientSideConnection(() => ({}), stream, { observe });
  const method = "notifications/agents/run/progress";
  const writer = down.writable.getWriter();
  for (const params of ["5", '{"delta":"x"}', '{"progressToken":"t","delta":1e400}']) {
    const line = `{"method":"${method}","params":${params}}\n`;
    await writer.write(new TextEncoder().encode(line));
  }
  await writer.close();
  await client.closed;
  assert.deepEqual(seen, Array(3).fill(["ignored", method]));
});

test("the caller's params stay as they are", async () => {
  const { client } = await connected();
  const params = { name: "a", input: { deltas: ["a"], output: "a" }, _meta: {} };
  await client.runAgentStreamed(params).finished;
  assert.deepEqual(params._meta, {});
});
