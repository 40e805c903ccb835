// Nine mistakes in what programs make and read, numbered. A compiler should see each.

import type {
  ContentBlock,
  IdleStateUpdate,
  PermissionOption,
  RequestPermissionResponse,
  SessionUpdate,
} from "sdk";

export const right: SessionUpdate[] = [
  { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "hi" } },
  { sessionUpdate: "state_update", state: "running" },
];

export const update: SessionUpdate = { sessionUpdate: "state_updaet", state: "running" }; // 1
export const bare: ContentBlock = { type: "text" }; // 2
export const mixed: ContentBlock = { type: "text", uri: "file:///a" }; // 3
export const block: ContentBlock = { type: "txet", text: "hi" }; // 4
export const idle: IdleStateUpdate = { stopReason: "endTurn" }; // 5
export const option: PermissionOption = { kind: "allow_once", name: "Allow", optionID: "a" }; // 6
export function text(block: ContentBlock): string {
  return block.text; // 7
}
export function isImage(block: ContentBlock): boolean {
  return block.type === "imgae"; // 8
}
export function isChosen({ outcome }: RequestPermissionResponse): boolean {
  return outcome.outcome === "selectd"; // 9
}
