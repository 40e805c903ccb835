// The name of a method tells which params it has.

import {
  type AgentRequest,
  decodeAgentRequest,
  decodeClientNotification,
  type PromptRequest,
} from "../typescript/dist/index.js";

export function prompts(method: string, params: unknown): PromptRequest[] {
  const request = decodeAgentRequest(method, params);
  switch (request?.method) {
    case "session/prompt":
      return [request.params];
    case "session/new":
      // @ts-expect-error -- these are those of another method
      return [request.params];
    default:
      return [];
  }
}

export const made: AgentRequest = {
  method: "session/load",
  params: { sessionId: "1", cwd: "/", mcpServers: [] },
};

export const updated: string | undefined = decodeClientNotification(
  "session/update",
  {},
)?.method;
