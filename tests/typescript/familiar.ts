// An agent and a client as they are written for the interfaces that users know.

import type {
  Agent,
  AgentContext,
  AuthenticateRequest,
  AuthenticateResponse,
  CancelNotification,
  Client,
  ClientSideConnection,
  InitializeRequest,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SetSessionModeRequest,
  SetSessionModeResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from "acp-v1";

class EchoAgent implements Agent {
  private readonly sessions = new Map<string, { cancelled: boolean }>();

  async initialize(_params: InitializeRequest): Promise<InitializeResponse> {
    return { protocolVersion: 1, agentCapabilities: { loadSession: false } };
  }

  async newSession(_params: NewSessionRequest): Promise<NewSessionResponse> {
    const sessionId = String(this.sessions.size);
    this.sessions.set(sessionId, { cancelled: false });
    return { sessionId };
  }

  async authenticate(_params: AuthenticateRequest): Promise<AuthenticateResponse | void> {}

  async setSessionMode(_params: SetSessionModeRequest): Promise<SetSessionModeResponse> {
    return {};
  }

  async prompt(params: PromptRequest): Promise<PromptResponse> {
    const session = this.sessions.get(params.sessionId);
    if (!session) throw new TypeError(`Session ${params.sessionId} not found`);
    return { stopReason: session.cancelled ? "cancelled" : "end_turn" };
  }

  async cancel(params: CancelNotification): Promise<void> {
    this.sessions.set(params.sessionId, { cancelled: true });
  }

  async extMethod(
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    return { method, params };
  }

  async extNotification(_method: string, _params: Record<string, unknown>): Promise<void> {}
}
export const echo: Agent = new EchoAgent();

class FileClient implements Client {
  async requestPermission(params: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const [first] = params.options;
    if (!first) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: first.optionId } };
  }

  async sessionUpdate(params: SessionNotification): Promise<void> {
    const update = params.update;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.content.type === "text") update.content.text.trim();
        break;
      case "tool_call":
        update.title.trim();
        update.status?.trim();
        break;
      case "tool_call_update":
        update.title?.trim();
        break;
      case "plan":
        update.entries.map((entry) => entry.content);
        break;
      default:
        break;
    }
  }

  async readTextFile(params: ReadTextFileRequest): Promise<ReadTextFileResponse> {
    return { content: params.path };
  }

  async writeTextFile(_params: WriteTextFileRequest): Promise<WriteTextFileResponse> {
    return {};
  }
}
export const files: Client = new FileClient();

// Parameters have their types without a word, and handlers need not be `async`.
export const literal: Agent = {
  initialize: ({ protocolVersion }) => ({ protocolVersion }),
  async newSession({ cwd, mcpServers }) {
    return { sessionId: cwd + String(mcpServers.length) };
  },
  async authenticate() {},
  async prompt({ prompt }) {
    for (const content of prompt) if (content.type === "text") content.text.trim();
    return { stopReason: "end_turn" };
  },
  cancel() {},
  extMethod: async (method, params) => ({ echoed: params["value"], method }),
};

// Optional methods may be missing, required ones may not.
// @ts-expect-error: `requestPermission` is missing
export const client: Client = { sessionUpdate() {} };
// @ts-expect-error: a result with required fields has to be given
export const silent: Pick<Agent, "newSession"> = { async newSession() {} };
// @ts-expect-error: no such stop reason
export const wrong: Pick<Agent, "prompt"> = { prompt: () => ({ stopReason: "bored" }) };

// Who calls handlers directly sees which may be missing, and gives them a context.
export async function call(agent: Agent, context: AgentContext): Promise<void> {
  const session = await agent.newSession({ cwd: "/", mcpServers: [] }, context);
  await agent.cancel?.({ sessionId: session.sessionId }, context);
  const load = { sessionId: session.sessionId, cwd: "/", mcpServers: [] };
  // @ts-expect-error: an optional method
  await agent.loadSession(load, context);
  await agent.loadSession?.(load, context);
}

// A connection needs none, and may stand for an agent.
export async function open(connection: ClientSideConnection): Promise<Agent> {
  const session = await connection.newSession({ cwd: "/", mcpServers: [] });
  await connection.cancel({ sessionId: session.sessionId });
  const signal = AbortSignal.timeout(1000);
  await connection.loadSession({ ...session, cwd: "/", mcpServers: [] }, { signal });
  return connection;
}

// What is beside the params: the other end, and whether the answer is still wanted.
export const streaming: Pick<Agent, "prompt"> = {
  async prompt({ sessionId, prompt }, { client, signal }) {
    for (const content of prompt) {
      if (signal.aborted) return { stopReason: "cancelled" };
      await client.sessionUpdate({
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    return { stopReason: "end_turn" };
  },
};
