// Updates of a session: how they are made, and the state that they make up.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ContentBlock,
  SessionUpdate,
  SessionUpdateState,
  ToolCallContent,
} from "acp";

test("a text stands for a block of text", () => {
  const content = { type: "text", text: "hi" };
  assert.deepEqual(SessionUpdate.agentMessageChunk("hi"), {
    sessionUpdate: "agent_message_chunk",
    content,
  });
  const block = ContentBlock.text("hi");
  assert.deepEqual(
    ToolCallContent.content(block),
    ToolCallContent.content("hi"),
  );
});

test("updates make up a state", () => {
  const state = new SessionUpdateState();
  assert.equal(state.plan, undefined);
  const call = SessionUpdate.toolCall("b", "First", {
    content: [ToolCallContent.content("hi")],
  });
  assert.equal(state.apply(call), true);
  assert.equal(state.apply(call), false);
  assert.equal(state.apply(SessionUpdate.toolCall("a", "Second")), true);
  // What is absent stays, `null` clears, anything else replaces.
  const change = SessionUpdate.toolCallUpdate("b", {
    title: "Third",
    content: null,
    rawInput: { x: 1 },
  });
  assert.equal(state.apply(change), true);
  assert.equal(state.apply(change), false);
  assert.deepEqual([...state.toolCalls.keys()], ["b", "a"]);
  const { toolCallId, title, content, rawInput } =
    state.toolCalls.get("b") ?? {};
  assert.deepEqual(
    [toolCallId, title, content, rawInput],
    ["b", "Third", undefined, { x: 1 }],
  );
  assert.equal("sessionUpdate" in (state.toolCalls.get("b") ?? {}), false);
  // It makes up no tool call: there is no title.
  assert.equal(state.apply(SessionUpdate.toolCallUpdate("c", {})), false);
  assert.equal(state.apply(SessionUpdate.agentMessageChunk("hi")), false);
  assert.equal(state.apply(SessionUpdate.plan([])), true);
  assert.deepEqual(state.plan, { entries: [] });
  // What an item has just one of can be asked for by itself.
  assert.deepEqual(state.planEntries, []);
  assert.equal(state.currentModeId, undefined);
  assert.equal(state.apply(SessionUpdate.currentModeUpdate("ask")), true);
  assert.equal(state.currentModeId, "ask");
  // A cancelled turn leaves no call at work. The plan stays.
  assert.equal(state.turnCancelled(), true);
  const calls = [...state.toolCalls.values()];
  assert.deepEqual(
    calls.map(({ status }) => status),
    ["failed", "failed"],
  );
  assert.deepEqual(state.planEntries, []);
  assert.equal(state.turnCancelled(), false);
});
