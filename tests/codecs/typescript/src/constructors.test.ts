// Values of unions, made by the name of their variant.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as acp from "acp";

void test("the tag is filled in, the rest is taken as it is", () => {
  const text = acp.ContentBlock.text("hi");
  // The variant is known, without a look at the tag.
  const spoken: string = text.text;
  assert.equal(spoken, "hi");
  assert.deepEqual(text, { type: "text", text: "hi" });
  const noted = acp.ContentBlock.text("hi", { annotations: null, _meta: { x: 1 } });
  assert.deepEqual(noted, { type: "text", text: "hi", annotations: null, _meta: { x: 1 } });
  const update: acp.SessionUpdate = acp.SessionUpdate.agentMessageChunk(text);
  assert.deepEqual(acp.SessionUpdateCodec.decode(update), update);
  // @ts-expect-error: what has a parameter is not part of the rest
  acp.ContentBlock.text("hi", { text: "ho" });
  // @ts-expect-error: required
  acp.ContentBlock.image("data");
});

void test("fields beside the variants come first", () => {
  const option = acp.SessionConfigOption.boolean("id", "Name", true, { description: null });
  const current: boolean = option.currentValue;
  assert.equal(current, true);
  assert.equal(acp.SessionConfigOptionCodec.decode(option, { strict: true }), option);
});

void test("variants without a payload, and without a tag", () => {
  assert.deepEqual(acp.RequestPermissionOutcome.cancelled(), { outcome: "cancelled" });
  const server: acp.McpServer = acp.McpServer.stdio("name", "command", [], []);
  assert.deepEqual(server, { name: "name", command: "command", args: [], env: [] });
});

void test("a payload that is a union is taken whole", () => {
  const requestedSchema = {};
  const request = acp.CreateElicitationRequest.form("Why?", { sessionId: "s", requestedSchema });
  assert.equal(request.mode, "form");
  const { ok } = acp.CreateElicitationRequestCodec.safeDecode(request, { strict: true });
  assert.equal(ok, true);
});

void test("guards know the values of enums", () => {
  assert.equal(acp.isStopReason("end_turn"), true);
  assert.equal(acp.isErrorCode(-32700), true);
  for (const other of ["EndTurn", "done", "", 0, null, undefined, ["end_turn"], {}]) {
    assert.equal(acp.isStopReason(other), false);
    assert.equal(acp.isErrorCode(other), false);
  }
  // What an open enum takes is not known for that.
  assert.equal(acp.isSessionConfigOptionCategory("mode"), true);
  assert.equal(acp.isSessionConfigOptionCategory("my own"), false);
  assert.equal(acp.isErrorCode(-1), false);
});
