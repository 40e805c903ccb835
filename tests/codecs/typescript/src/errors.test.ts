// What is said of a value that is not one of the type, and of what was forgiven.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { StandardSchemaV1 } from "@standard-schema/spec";
import * as acp from "acp";

const broken = {
  sessionId: "s",
  update: {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: ["secret"] },
  },
};

function errorOf<T>(codec: acp.Codec<T>, value: unknown, options?: acp.DecodeOptions) {
  const result = codec.safeDecode(value, options);
  assert.equal(result.ok, false);
  return (result as { error: acp.DecodeError }).error;
}

void test("an error has its place, what was expected, what was found, and no value", () => {
  const error = errorOf(acp.SessionNotificationCodec, broken);
  assert.equal(error.path, "update.content.text");
  assert.deepEqual(error.steps, ["update", "content", "text"]);
  assert.equal(error.expected, "a string");
  assert.equal(error.found, "an array");
  assert.equal(error.message, "update.content.text: expected a string, found an array");
  assert.equal(JSON.stringify({ ...error, message: error.message }).includes("secret"), false);
  assert.throws(
    () => acp.SessionNotificationCodec.decode(broken),
    (thrown) => thrown instanceof acp.DecodeError && thrown.path === error.path,
  );
});

void test("what is missing is said to be", () => {
  const error = errorOf(acp.TextContentCodec, {});
  assert.equal(error.message, "text: expected a required property, found nothing");
  assert.equal(errorOf(acp.TextContentCodec, undefined).found, "nothing");
});

void test("values of an enum and tags are listed, the one found is not", () => {
  const tag = errorOf(acp.ContentBlockCodec, { type: "secret" });
  assert.equal(tag.path, "type");
  assert.match(tag.expected, /^one of "text", "image"/);
  assert.equal(tag.found, "another string");
  const value = errorOf(acp.StopReasonCodec, "secret");
  assert.match(value.expected, /^one of "end_turn", /);
  assert.equal(value.message.includes("secret"), false);
});

void test("what is forgiven is seen, with its place, once the value is right", () => {
  const chunk = (text: unknown) => ({ type: "content", content: { type: "text", text } });
  const value = {
    sessionId: "s",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "T",
      status: "lost",
      content: [chunk(1), chunk("x"), { ...chunk("y"), _meta: 5 }],
    },
  };
  const seen: string[] = [];
  const onDropped = (drop: acp.DecodeError) => void seen.push(drop.path);
  acp.SessionNotificationCodec.decode(value, { onDropped });
  const paths = ["update.status", "update.content[0].content.text", "update.content[2]._meta"];
  assert.deepEqual(seen.sort(), [...paths].sort());
  // Nothing is said of a value that is refused.
  seen.length = 0;
  acp.SessionNotificationCodec.safeDecode({ ...value, sessionId: 5 }, { onDropped });
  assert.deepEqual(seen, []);
  // Strict mode forgives nothing.
  const error = errorOf(acp.SessionNotificationCodec, value, { strict: true });
  assert.equal(paths.includes(error.path), true);
});

void test("what was forgiven while a variant was tried that did not fit is not seen", () => {
  const seen: string[] = [];
  const value = { uri: "u", text: "t", _meta: 7 };
  const onDropped = (drop: acp.DecodeError) => void seen.push(drop.path);
  acp.EmbeddedResourceResourceCodec.decode(value, { onDropped });
  assert.deepEqual(seen, ["_meta"]);
  seen.length = 0;
  acp.EmbeddedResourceResourceCodec.decode({ uri: "u", blob: "b", _meta: 7 }, { onDropped });
  assert.deepEqual(seen, ["_meta"]);
});

void test("a codec is a Standard Schema", async () => {
  const schema: StandardSchemaV1<unknown, acp.SessionNotification> = acp.SessionNotificationCodec;
  const wrong = await schema["~standard"].validate(broken);
  assert.deepEqual(wrong.issues, [
    {
      message: "update.content.text: expected a string, found an array",
      path: ["update", "content", "text"],
    },
  ]);
  const right = await schema["~standard"].validate({ ...broken, update: plan });
  assert.deepEqual(right, { value: { sessionId: "s", update: plan } });
  assert.equal(schema["~standard"].version, 1);
});

const plan = { sessionUpdate: "plan", entries: [] };
