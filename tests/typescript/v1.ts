// Closed unions, shared fields, untagged variants, presence, defaults, enums and methods.

import {
  AGENT_METHODS,
  CLIENT_METHODS,
  ContentBlock,
  ErrorCode,
  isSessionConfigOptionCategory,
  isStopReason,
  PROTOCOL_METHODS,
  SessionUpdate,
  StopReason,
} from "acp-v1";
import type {
  AgentCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  EmbeddedResourceResource,
  InitializeResponse,
  McpServer,
  McpServerStdio,
  MultiSelectItems,
  RequestId,
  RequestPermissionOutcome,
  SessionConfigOption,
  SessionConfigOptionCategory,
  SessionId,
  SetSessionConfigOptionRequest,
  ToolCallUpdate,
  UnknownTag,
} from "acp-v1";

/** Compiles only if the two types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// A closed union narrows in `switch`, to the end.
export function block(value: ContentBlock): string {
  switch (value.type) {
    case "text":
      return value.text;
    case "image":
    case "audio":
      return value.mimeType + value.data;
    case "resource_link":
      return value.uri;
    case "resource":
      return "text" in value.resource ? value.resource.text : value.resource.blob;
    default: {
      const never: never = value;
      return never;
    }
  }
}

// It narrows in `if`, in both directions.
export function texts(values: ContentBlock[]): string[] {
  return values.flatMap((value) => {
    if (value.type !== "text") {
      // @ts-expect-error: it is anything but a text
      value.text;
      return [];
    }
    return [value.text];
  });
}

// Without narrowing only what all variants have is there.
export function early(value: ContentBlock): void {
  value._meta;
  // @ts-expect-error: not all have a text
  value.text;
  // @ts-expect-error: there is no such tag
  if (value.type === "video") return;
}

// A constructor takes a text for a block of text, alone and in a list.
export const chunks: SessionUpdate[] = [
  SessionUpdate.agentMessageChunk("hi"),
  SessionUpdate.agentMessageChunk(ContentBlock.text("hi"), { messageId: "m" }),
  // @ts-expect-error: neither a block nor a text
  SessionUpdate.agentMessageChunk(5),
];

// Values are written with their tag, and checked against their own variant.
export const written: ContentBlock[] = [
  { type: "text", text: "hi" },
  { type: "text", text: "hi", annotations: null, _meta: { any: ["thing"] } },
  // @ts-expect-error: the text is missing
  { type: "text" },
  // @ts-expect-error: a property of another variant
  { type: "text", text: "hi", data: "" },
  // @ts-expect-error: no such tag
  { type: "video", data: "" },
  // @ts-expect-error: no tag
  { text: "hi" },
];

// A variant can be picked by its tag.
type Chunk = Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" }>;
same<Chunk["sessionUpdate"], "agent_message_chunk">(true);
same<Chunk["content"], ContentBlock>(true);

// A variant without a payload of its own.
export function outcome(value: RequestPermissionOutcome): string | undefined {
  return value.outcome === "selected" ? value.optionId : undefined;
}

// Shared fields are there before narrowing, the others after it.
export function option(value: SessionConfigOption): string | boolean {
  value.name.length;
  if (value.type === "boolean") return value.currentValue;
  const current: string = value.currentValue;
  return current;
}

// An untagged variant: its tag is never there, so that the tag tells it apart, too.
export function server(value: McpServer): string {
  switch (value.type) {
    case "http":
    case "sse":
      return value.url;
    default:
      return value.command;
  }
}
export function serverByTruth(value: McpServer): string {
  return value.type ? value.url : value.command;
}
export function serverByTag(value: McpServer): string {
  if ("type" in value && value.type !== undefined) return value.url;
  return value.command;
}
declare const stdio: McpServerStdio;
export const servers: McpServer[] = [
  stdio,
  { name: "s", command: "c", args: [], env: [] },
  { type: "http", name: "s", url: "u", headers: [] },
  // @ts-expect-error: stdio has no tag
  { type: "stdio", name: "s", command: "c", args: [], env: [] },
];
export function configure(value: SetSessionConfigOptionRequest): string | boolean {
  const session: SessionId = value.sessionId;
  if (value.type === "boolean") {
    same<typeof value.value, boolean>(true);
    return value.value;
  }
  same<typeof value.value, string>(true);
  return value.value + session;
}

// An open union narrows just as well; what is left over is the unknown variant, kept raw.
export function elicit(value: CreateElicitationRequest): string {
  value.message.length;
  switch (value.mode) {
    case "form":
      // The payload is itself shared fields beside a union, told apart by shape.
      return "sessionId" in value ? value.sessionId : String(value.requestId);
    case "url":
      return value.url;
    default: {
      const mode: string = value.mode;
      const raw: unknown = value["anything"];
      return mode + String(raw);
    }
  }
}
export function accepted(value: CreateElicitationResponse): void {
  if (value.action === "accept") value.content?.["name"];
  // @ts-expect-error: only `accept` has content of this type
  else value.content?.["name"];
}
export const answers: CreateElicitationResponse[] = [
  { action: "accept", content: { name: "n", tags: ["a"], age: 1, ok: true } },
  { action: "decline" },
  { action: "custom" as UnknownTag, reason: "why not" },
  // @ts-expect-error: a typo does not pass for an unknown action
  { action: "acept" },
];
export function items(value: MultiSelectItems): number {
  switch (value.type) {
    case "string":
      return value.enum.length;
    case undefined:
      return value.anyOf.length;
    default:
      return value.type.length;
  }
}

// Unions by shape.
export function contents(value: ElicitationContentValue): string {
  same<ElicitationContentValue, string | number | boolean | string[]>(true);
  return Array.isArray(value) ? value.join() : String(value);
}
same<RequestId, null | number | string>(true);
export function resource(value: EmbeddedResourceResource): string {
  return "blob" in value ? value.blob : value.text;
}

// Absent, `null` and a value are three different things.
same<ToolCallUpdate["title"], string | null | undefined>(true);
export const updates: ToolCallUpdate[] = [
  { toolCallId: "1" },
  { toolCallId: "1", title: null },
  { toolCallId: "1", title: "t", rawInput: null, rawOutput: { any: "thing" } },
  // @ts-expect-error: `undefined` is not absence
  { toolCallId: "1", title: undefined },
  // @ts-expect-error: an id is not nullable
  { toolCallId: null },
];

// A field with a default may be absent, and is not nullable.
export const capabilities: AgentCapabilities[] = [
  {},
  { loadSession: true, promptCapabilities: { image: true } },
  // @ts-expect-error: it has a default instead
  { loadSession: null },
];
export const initialized: InitializeResponse = { protocolVersion: 1 };

// String types are plain strings.
export const id: SessionId = "s1";
same<SessionId, string>(true);

// A closed enum is its values; an open one takes any string and still knows its own.
export const reason: StopReason = StopReason.EndTurn;
same<typeof StopReason.EndTurn, "end_turn">(true);
export const reasons: StopReason[] = [
  "max_tokens",
  // @ts-expect-error: no such value
  "bored",
];
export const categories: SessionConfigOptionCategory[] = ["mode", "thought_level", "my own"];
export function category(value: SessionConfigOptionCategory): 1 | 2 | 3 {
  switch (value) {
    case "mode":
      return 1;
    case "model":
      return 2;
    default:
      return 3;
  }
}
// The known values are part of the type: that is what editors offer.
export const known: Extract<SessionConfigOptionCategory, "mode" | "model"> = "model";
same<Extract<SessionConfigOptionCategory, "mode">, "mode">(true);
// A guard narrows anything to the known values; of an open enum, the others are left.
export function guarded(value: unknown, category: SessionConfigOptionCategory): string {
  // @ts-expect-error: it may be anything
  value satisfies StopReason;
  if (isStopReason(value)) {
    same<typeof value, StopReason>(true);
    return value;
  }
  if (isSessionConfigOptionCategory(category)) {
    same<typeof category, "mode" | "model" | "model_config" | "thought_level">(true);
    return category;
  }
  return category.toUpperCase();
}

// After its guard, a `switch` over an open enum narrows to the end; without, it does not.
export function exhaustive(category: SessionConfigOptionCategory): string {
  if (!isSessionConfigOptionCategory(category)) return category;
  switch (category) {
    case "mode":
      return same<typeof category, "mode">(true), "a";
    case "model":
    case "model_config":
    case "thought_level":
      return "b";
    default:
      return category satisfies never;
  }
}
export function incomplete(category: SessionConfigOptionCategory): string {
  switch (category) {
    case "mode":
      // @ts-expect-error: it may be any string to the compiler
      return same<typeof category, "mode">(true), "a";
    default:
  }
  if (!isSessionConfigOptionCategory(category)) return category;
  switch (category) {
    case "mode":
    case "model":
      return "b";
    default:
      // @ts-expect-error: two are left
      return category satisfies never;
  }
}

// An open enum of integers.
same<typeof ErrorCode.ParseError, -32700>(true);
export const codes: ErrorCode[] = [ErrorCode.MethodNotFound, -32601, 42];
// @ts-expect-error: not a number
export const code: ErrorCode = "42";
same<Extract<ErrorCode, -32700>, -32700>(true);

// Method names are literals.
same<typeof AGENT_METHODS.session_new, "session/new">(true);
same<typeof CLIENT_METHODS.fs_read_text_file, "fs/read_text_file">(true);
same<typeof PROTOCOL_METHODS.cancel_request, "$/cancel_request">(true);
// @ts-expect-error: a client's method
AGENT_METHODS.fs_read_text_file;
