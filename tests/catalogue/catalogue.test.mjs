// Typed calls of catalogue entries, at a server in the same program.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as sdk from "../typescript/dist/index.js";

test("each is called with types of its own", async () => {
  const [up, down] = [new TransformStream(), new TransformStream()];
  const client = new sdk.ClientSideConnection(() => ({}), {
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
    runAgent({ name, input }) {
      seen.push([name, input]);
      if (name === "shout") return { output: input.toUpperCase() };
      if (name === "translate") return { output: { text: "salve", used: [{ position: 3 }] } };
      if (name === "rate") return { output: input ? "good" : 5 };
      throw new sdk.RequestError(-32042, "no");
    },
  };
  new sdk.ServerSideConnection(() => server, { readable: up.readable, writable: down.writable });
  const clientInfo = { name: "c", version: "1" };
  await client.initialize({ protocolVersion: "1", capabilities: {}, clientInfo });

  const agents = new sdk.catalogue.Catalogue(client);
  assert.equal(await agents.shout("hey"), "HEY");
  const input = { text: "x", to: "la", glossary: [{ from: "a", to: "b" }] };
  assert.deepEqual(await agents.translate(input), { text: "salve", used: [{ position: 3 }] });
  assert.equal(await agents.rate(true), "good");
  await assert.rejects(agents.rate(false), sdk.DecodeError);
  await assert.rejects(agents.sortAll([1]), { code: -32042 });
  assert.deepEqual(seen, [
    ["shout", "hey"],
    ["translate", input],
    ["rate", true],
    ["rate", false],
    ["sort-all", [1]],
  ]);
});
