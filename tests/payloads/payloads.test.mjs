// Each aggregate reads what every one of its methods carries.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as sdk from "../typescript/dist/index.js";

const cases = JSON.parse(readFileSync("cases.json", "utf8"));

for (const { name, method, part, type, value } of cases) {
  test(`${name} of ${method}`, () => {
    const decode = sdk[`decode${name}`];
    const read = decode(method, value);
    const alone = type === null ? value : sdk[`${type}Codec`].decode(value);
    assert.deepEqual(read, { method, [part]: alone });
    assert.equal(decode("no/such", value), undefined);
    assert.equal(decode("toString", value), undefined);
    if (type === null) return;
    assert.throws(() => decode(method, 7), sdk.DecodeError);
  });
}

test("what is absent", { skip: !("decodeLampResponse" in sdk) }, () => {
  const nothing = { method: "read", params: {} };
  assert.deepEqual(sdk.decodeAnyLampRequest("read", undefined), nothing);
  assert.throws(() => sdk.decodeAnyLampRequest("switch", undefined), sdk.DecodeError);
  const watts = { method: "read", result: { watts: 40 } };
  for (const result of [undefined, null, {}]) {
    assert.deepEqual(sdk.decodeLampResponse("read", result), watts);
    const none = { method: "switch", result: null };
    assert.deepEqual(sdk.decodeLampResponse("switch", result), none);
  }
  assert.throws(() => sdk.decodeLampResponse("switch", 1), sdk.DecodeError);
});
