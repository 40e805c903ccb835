// Handlers of methods that the schema does not name.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RequestError } from "acp";

import { agent, type Json, settled } from "./wire.js";

test("what nothing else handles has a handler of its own", async () => {
  const seen: unknown[] = [];
  const { wire } = agent({
    extMethod: (_, params) => params,
    unknownMethod(method, params, { requestId }) {
      if (method === "no") throw RequestError.methodNotFound(method);
      return [method, params, requestId];
    },
    unknownNotification(method, params) {
      seen.push([method, params]);
    },
  });
  const answers: [Json, unknown][] = [
    [{ method: "x/y", params: [1] }, ["x/y", [1], "1"]],
    [{ method: "" }, ["", null, "1"]],
    // It is not the agent's.
    [{ method: "fs/read_text_file", params: 5 }, ["fs/read_text_file", 5, "1"]],
    [{ method: "_x", params: { a: 1 } }, { a: 1 }],
  ];
  for (const [message, result] of answers) {
    await wire.send({ id: 1, ...message });
    assert.deepEqual((await wire.receive())?.["result"], result);
  }
  // The schema names the second, but has no handler for it.
  for (const method of ["no", "session/load"]) {
    await wire.send({ id: 1, method });
    const { error } = (await wire.receive()) ?? {};
    assert.equal((error as RequestError).code, -32601);
  }
  await wire.send(
    { method: "_x", params: { a: 1 } },
    { method: "x/y" },
    { method: "session/prompt" },
  );
  await settled();
  assert.deepEqual(seen, [
    ["_x", { a: 1 }],
    ["x/y", undefined],
  ]);
});
