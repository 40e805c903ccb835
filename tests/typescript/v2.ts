// Open unions throughout.

import type {
  AuthMethod,
  ContentBlock,
  IdleStateUpdate,
  PlanUpdateContent,
  SessionUpdate,
  StateUpdate,
  ToolKind,
  UnknownTag,
} from "acp-v2";

// Known tags narrow to their payload, in `switch` and in `if`; the rest is raw.
export function block(value: ContentBlock): string {
  switch (value.type) {
    case "text":
      return value.text;
    case "image":
    case "audio":
      return value.data;
    case "resource_link":
      return value.uri;
    case "resource":
      return value.resource.uri;
    default: {
      const tag: UnknownTag = value.type;
      // @ts-expect-error: who knows
      value["text"].length;
      return tag;
    }
  }
}
export function text(value: ContentBlock): string | undefined {
  if (value.type === "text") return value.text;
  // @ts-expect-error: not of these variants
  value.text;
  return undefined;
}
export function agentText(value: SessionUpdate): string | undefined {
  if (value.sessionUpdate !== "agent_message_chunk") return undefined;
  return value.content.type === "text" ? value.content.text : undefined;
}

// A tag of one's own begins with `_`; any other is looked at as a string.
export function custom(value: ContentBlock): unknown {
  if (value.type === "_mine") return value["anything"];
  const tag: string = value.type;
  if (tag === "mine") return value;
  // @ts-expect-error: compared directly, it is taken for a typo
  return value.type === "mine";
}
export const blocks: ContentBlock[] = [
  { type: "text", text: "hi" },
  { type: "_mine", anything: [1, 2] },
  { type: "mine" as UnknownTag, anything: [1, 2] },
  // @ts-expect-error: a typo does not pass for an unknown tag
  { type: "txet", text: "hi" },
  // @ts-expect-error: nor does a known tag pass with another's body
  { type: "text", data: "" },
];

// An open branch with properties of its own.
export function method(value: AuthMethod): string {
  value.methodId.length;
  return value.name;
}
export function plan(value: PlanUpdateContent): string {
  const id: string = value.planId;
  return value.type === "items" ? String(value.entries.length) : id;
}

// A union in a union: the outer tag first, then the inner one.
export function stopped(value: StateUpdate): string | undefined {
  if (value.state !== "idle") return undefined;
  const idle: IdleStateUpdate = value;
  return idle.stopReason === "end_turn" ? "done" : undefined;
}

// An open enum is a string with suggestions.
export const kinds: ToolKind[] = ["read", "other", "_mine"];
