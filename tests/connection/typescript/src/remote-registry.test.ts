// The ids of a server's connections.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "../node_modules/acp/dist/runtime/remote/registry.js";

test("ids are compared in constant time", (context) => {
  const registry = new Registry();
  const id = registry.reserve();
  // The first 16 digits are looked up; the others are compared.
  const wrong = (at: number): string => {
    const other = id[at] === "0" ? "1" : "0";
    return id.slice(0, at) + other + id.slice(at + 1);
  };
  const looks = context.mock.method(String.prototype, "charCodeAt");
  const counts = [id, wrong(16), wrong(30), wrong(id.length - 1)].map((it) => {
    looks.mock.resetCalls();
    registry.find(it, undefined);
    return looks.mock.callCount();
  });
  looks.mock.restore();
  assert.ok((counts[0] ?? 0) >= 32, String(counts));
  assert.equal(new Set(counts).size, 1, String(counts));
});

test("an id has 128 bits that nobody can guess", (context) => {
  const random = context.mock.method(crypto, "getRandomValues");
  new Registry().reserve();
  let bytes = 0;
  for (const { arguments: given } of random.mock.calls) {
    bytes += given[0]?.byteLength ?? 0;
  }
  assert.ok(bytes >= 16, String(bytes));
});

test("an id with the first part of another names nothing", () => {
  const registry = new Registry();
  const [id, other] = [registry.reserve(), registry.reserve()];
  const member = {
    identity: "a",
    pipe: {} as never,
    dialog: {} as never,
    stop: () => undefined,
    ended: Promise.resolve(),
  };
  registry.add(id, member);
  registry.add(other, member);
  assert.equal(registry.find(id, "a"), member);
  assert.equal(registry.find(id, "b"), undefined);
  assert.equal(registry.find(id.slice(0, 16), "a"), undefined);
  assert.equal(registry.find(id + "0", "a"), undefined);
  assert.equal(
    registry.find(id.slice(0, 16) + other.slice(16), "a"),
    undefined,
  );
});
