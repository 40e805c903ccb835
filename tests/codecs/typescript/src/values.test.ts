// What is left alone, what is copied, and what is made anew.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as acp from "acp";
import * as shapes from "shapes";

function json(text: string): unknown {
  return JSON.parse(text) as unknown;
}

/** Makes a change of the value an error. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

void test("a value in which nothing changes comes out itself", () => {
  const update = frozen({
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } },
    later: [{ x: 1 }],
  });
  assert.equal(acp.SessionNotificationCodec.decode(update), update);
  assert.equal(acp.SessionNotificationCodec.encode(update as acp.SessionNotification), update);
});

void test("only what changes is copied, and what was given stays as it was", () => {
  const given = frozen({
    cwd: "/",
    mcpServers: [{ name: "n", command: "c", args: [], env: [] }],
    additionalDirectories: null,
    _meta: { kept: true },
  });
  const decoded = acp.NewSessionRequestCodec.decode(given);
  assert.notEqual(decoded, given);
  assert.equal(decoded.mcpServers, given.mcpServers);
  assert.equal(decoded._meta, given._meta);
  assert.equal("additionalDirectories" in decoded, false);
});

void test("defaults are new each time", () => {
  const [first, second] = [shapes.DefaultsCodec.decode({}), shapes.DefaultsCodec.decode({})];
  first.list?.push(4);
  Object.assign(first.record ?? {}, { a: 7 });
  assert.deepEqual(second.list, [3, 1, 2]);
  assert.deepEqual(second.record, { a: 1, b: false });
});

void test("names of the prototype are properties like others", () => {
  const hostile = json('{"__proto__": "p", "class": "c"}');
  assert.equal(shapes.HostileFieldsCodec.decode(hostile), hostile);
  for (const text of ['{"class": "c"}', '{"__proto__": {"class": "x"}}']) {
    const result = shapes.HostileFieldsCodec.safeDecode(json(text));
    assert.equal(!result.ok && result.error.path, "__proto__");
  }
  const copied = shapes.DefaultsCodec.decode(json('{"__proto__": {"text": "polluted"}}'));
  assert.equal(Object.getPrototypeOf(copied), Object.prototype);
  assert.equal(copied.text?.startsWith("a"), true);
  assert.equal(JSON.stringify(copied).includes('"__proto__":{"text":"polluted"}'), true);
  assert.equal(JSON.stringify(copied.map), '{"k":"v","__proto__":"w"}');
  assert.equal("text" in {}, false);
});

void test("nothing is coerced, and what JSON does not know is refused", () => {
  const amounts: unknown[] = ["1", true, null, [1], new Number(1), 1n, NaN, Infinity];
  for (const amount of amounts) {
    const result = acp.CostCodec.safeDecode({ amount, currency: "EUR" });
    assert.equal(!result.ok && result.error.path, "amount");
  }
  const given = { amount: 1, currency: new String("EUR") };
  assert.equal(acp.CostCodec.safeDecode(given).ok, false);
  assert.equal(acp.CostCodec.safeDecode(new Map()).ok, false);
});

void test("what is nested deeper than the stack is refused, not fatal", () => {
  let tree: object = { value: 1 };
  for (let level = 0; level < 200_000; level += 1) tree = { value: 1, left: tree };
  const result = shapes.TreeCodec.safeDecode(tree);
  assert.equal(!result.ok && result.error.found, "deeper nesting");
});

void test("many broken items are dropped one by one", () => {
  const items = Array.from({ length: 200_000 }, () => "mauve");
  const dropped: acp.DecodeError[] = [];
  const decoded = shapes.LenientCodec.decode({ items }, { onDropped: (drop) => dropped.push(drop) });
  assert.deepEqual(decoded.items, []);
  assert.equal(dropped.length, items.length);
  assert.equal(dropped.at(-1)?.path, "items[199999]");
});

void test("what JSON.parse would lose in silence is kept or refused", () => {
  assert.deepEqual(acp.parseJson('{"a":[9007199254740993,-1,"\\u00e9"]}'), {
    a: [9007199254740993n, -1, "é"],
  });
  const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  assert.doesNotThrow(() => acp.parseJson(deep(128)));
  assert.throws(() => acp.parseJson(deep(129)), /^SyntaxError: nested deeper than 128 levels/);
  assert.doesNotThrow(() => acp.parseJson(deep(200), { maxDepth: 200 }));
  assert.throws(() => acp.parseJson("[[[]]]", { maxDepth: 2 }), SyntaxError);
  for (const text of ['"\ud800"', '["\\udc00x"]', '{"\\ud800":1}', '{"a":"\\\\\\uD800\\n"}']) {
    assert.throws(() => acp.parseJson(text), SyntaxError);
  }
  const own = acp.parseJson('{"__proto__":{"a":18446744073709551615}}');
  assert.equal(acp.stringifyJson(own), '{"__proto__":{"a":18446744073709551615}}');
});

void test("big integers are rounded where any JSON may stand, and this is told", () => {
  const text = '{"toolCallId":"t","title":"T","rawInput":{"n":[123456789012345678901234567890]},"x":{"y":[9007199254740993],"z":1}}';
  const dropped: string[] = [];
  const value = acp.parseJson(text);
  const rounded = acp.ToolCallCodec.decode(value, {
    onDropped: ({ path, found }) => dropped.push(`${path}: ${found}`),
  });
  assert.deepEqual(rounded, { toolCallId: "t", title: "T", rawInput: { n: [1.2345678901234568e29] }, x: { y: [2 ** 53], z: 1 } });
  assert.deepEqual(dropped, [
    "rawInput.n[0]: a larger one, which is rounded",
    "x.y[0]: a larger one, which is rounded",
  ]);
  // What was parsed is as it was, and so is what had nothing to be rounded.
  assert.equal(acp.stringifyJson((value as { rawInput: unknown }).rawInput), '{"n":[123456789012345678901234567890]}');
  const own = acp.ExtRequestCodec.decode(acp.parseJson('{"__proto__":{"a":18446744073709551615}}'));
  assert.equal(acp.stringifyJson(own), '{"__proto__":{"a":18446744073709552000}}');
});

void test("a number beyond a double costs no message whose types do not name it, and is told", () => {
  const value = acp.parseJson('{"x":{"y":[1,[-1e400]],"z":1},"_meta":null,"n":1e400,"b":9007199254740993}');
  for (const strict of [false, true]) {
    const dropped: string[] = [];
    const decoded = acp.LogoutRequestCodec.decode(value, {
      strict,
      onDropped: ({ path, found }) => dropped.push(`${path}: ${found}`),
    });
    assert.deepEqual(decoded, { x: { z: 1 }, _meta: null, b: 2 ** 53 });
    const places = ["x.y[1][0]: a number out of range", "n: a number out of range"];
    assert.deepEqual(dropped, [...places, "b: a larger one, which is rounded"]);
  }
  assert.throws(() => acp.LogoutRequestCodec.decode(value, { bigIntegers: false }), /^DecodeError: b: /);
  assert.throws(() => acp.LogoutRequestCodec.decode(acp.parseJson('{"_meta":{"a":1e400}}'), { strict: true }), /^DecodeError: _meta\.a: /);
});

void test("big integers are kept or refused where they are, if that is asked for", () => {
  const text = '{"toolCallId":"t","title":"T","rawInput":{"n":[123456789012345678901234567890]}}';
  const value = acp.parseJson(text);
  const refused = acp.ToolCallCodec.safeDecode(value, { bigIntegers: false, strict: true });
  assert.equal(!refused.ok && refused.error.path, "rawInput.n[0]");
  const kept = acp.ToolCallCodec.decode(value, { bigIntegers: true });
  assert.equal(acp.stringifyJson(acp.ToolCallCodec.encode(kept)), text);
  assert.throws(() => JSON.stringify(kept), TypeError);
  // A field that is an integer has no other type than `number`.
  const used = acp.parseJson('{"used":9007199254740993,"size":0}');
  const error = acp.UsageUpdateCodec.safeDecode(used, { bigIntegers: true });
  assert.equal(!error.ok && error.error.path, "used");
  // Nor is it known of a number whether somebody else has rounded it.
  assert.equal(acp.UsageUpdateCodec.safeDecode({ used: 2 ** 53, size: 0 }).ok, false);
  assert.equal(acp.UsageUpdateCodec.safeDecode({ used: 2 ** 53 - 1, size: 0 }).ok, true);
  const huge = acp.parseJson('{"toolCallId":"t","title":"T","rawInput":1e400}');
  const infinite = acp.ToolCallCodec.safeDecode(huge, { bigIntegers: true, strict: true });
  assert.equal(!infinite.ok && infinite.error.path, "rawInput");
  // The schema forgives wrong values there.
  for (const [wrong, bigIntegers] of [[value, false], [huge, true]] as const) {
    const dropped: string[] = [];
    const options = { bigIntegers, onDropped: ({ path }: acp.DecodeError) => dropped.push(path) };
    assert.deepEqual(acp.ToolCallCodec.decode(wrong, options), { toolCallId: "t", title: "T" });
    assert.match(dropped.join(), /^rawInput/);
  }
});

void test("JSON is written as JSON.stringify does, but for big integers", () => {
  for (const value of [undefined, null, "a", [1, { b: undefined }], '"\\ud8001"', "1n"]) {
    assert.equal(acp.stringifyJson(value), JSON.stringify(value));
  }
  assert.equal(acp.stringifyJson(['"\\ud8001"', -5n, { a: 2n ** 70n }]), '["\\"\\\\ud8001\\"",-5,{"a":1180591620717411303424}]');
  const circle: unknown[] = [];
  circle.push(circle);
  for (const half of ["\ud8005", { "\udc005": 1n }, [1n, "\ud8005"], "\\\udfff", "\n\ud83d"]) {
    assert.throws(() => acp.stringifyJson(half), TypeError);
  }
  assert.throws(() => acp.stringifyJson(circle), TypeError);
});
