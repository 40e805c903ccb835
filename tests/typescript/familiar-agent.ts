// An agent as it is written for the official SDK: a class that keeps its connection. It compiles
// with that SDK, too; only the name in the import is another.

import { Readable, Writable } from "node:stream";

import * as acp from "sdk";

interface Session {
  pending: AbortController | null;
}

export class NoteAgent implements acp.Agent {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly connection: acp.AgentSideConnection) {}

  async initialize(params: acp.InitializeRequest): Promise<acp.InitializeResponse> {
    return {
      protocolVersion: Math.min(params.protocolVersion, acp.PROTOCOL_VERSION),
      agentCapabilities: { loadSession: true, promptCapabilities: { image: false } },
    };
  }

  async newSession(_params: acp.NewSessionRequest): Promise<acp.NewSessionResponse> {
    const sessionId = String(this.sessions.size);
    this.sessions.set(sessionId, { pending: null });
    return { sessionId };
  }

  async loadSession(params: acp.LoadSessionRequest): Promise<acp.LoadSessionResponse> {
    if (!this.sessions.has(params.sessionId)) {
      throw acp.RequestError.resourceNotFound(params.sessionId);
    }
    return {};
  }

  async authenticate(params: acp.AuthenticateRequest): Promise<acp.AuthenticateResponse | void> {
    if (params.methodId !== "none") throw acp.RequestError.authRequired();
    return {};
  }

  async setSessionMode(_params: acp.SetSessionModeRequest): Promise<acp.SetSessionModeResponse> {
    return {};
  }

  async prompt(params: acp.PromptRequest): Promise<acp.PromptResponse> {
    const session = this.sessions.get(params.sessionId);
    if (!session) throw new Error(`Session ${params.sessionId} not found`);
    session.pending?.abort();
    session.pending = new AbortController();
    try {
      await this.turn(params, session.pending.signal);
    } catch (error) {
      if (session.pending.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    }
    session.pending = null;
    return { stopReason: "end_turn" };
  }

  async cancel(params: acp.CancelNotification): Promise<void> {
    this.sessions.get(params.sessionId)?.pending?.abort();
  }

  async extMethod(
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    if (method !== "_note") throw acp.RequestError.methodNotFound(method);
    return { noted: params["text"] };
  }

  async extNotification(_method: string, _params: Record<string, unknown>): Promise<void> {}

  private async turn({ sessionId, prompt }: acp.PromptRequest, signal: AbortSignal): Promise<void> {
    for (const content of prompt) {
      await this.connection.sessionUpdate({
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    await this.connection.sessionUpdate({
      sessionId,
      update: {
        sessionUpdate: "tool_call",
        toolCallId: "call_1",
        title: "Write a note",
        kind: "edit",
        status: "pending",
        locations: [{ path: "/notes.txt" }],
        rawInput: { text: "…" },
      },
    });
    const { outcome } = await this.connection.requestPermission({
      sessionId,
      toolCall: { toolCallId: "call_1", title: "Write a note", status: "pending" },
      options: [
        { kind: "allow_once", name: "Allow", optionId: "allow" },
        { kind: "reject_once", name: "Skip", optionId: "reject" },
      ],
    });
    if (outcome.outcome === "cancelled" || signal.aborted) return;
    switch (outcome.optionId) {
      case "allow": {
        const { content } = await this.connection.readTextFile({ sessionId, path: "/notes.txt" });
        await this.connection.writeTextFile({
          sessionId,
          path: "/notes.txt",
          content: `${content}\n`,
        });
        break;
      }
      case "reject":
        break;
      default:
        throw new Error(`Unexpected permission outcome ${outcome.optionId}`);
    }
    const counted = await this.connection.extMethod("_count", { sessionId });
    if (typeof counted["count"] !== "number") throw acp.RequestError.internalError();
    await this.connection.extNotification("_counted", counted);
  }
}

export function run(): acp.AgentSideConnection {
  const input = Writable.toWeb(process.stdout);
  const output = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const stream = acp.ndJsonStream(input, output);
  const connection = new acp.AgentSideConnection((conn) => new NoteAgent(conn), stream);
  connection.signal.addEventListener("abort", () => {
    console.error("closed");
  });
  void connection.closed.then(() => process.exit());
  return connection;
}

// An object, whose parameters have their types without a word.
export const echo: acp.Agent = {
  initialize: async ({ protocolVersion }) => ({ protocolVersion }),
  async newSession({ cwd, mcpServers }) {
    return { sessionId: cwd + String(mcpServers.length) };
  },
  async authenticate() {},
  async prompt({ prompt }) {
    for (const content of prompt) if (content.type === "text") content.text.trim();
    return { stopReason: "end_turn" };
  },
  async cancel({ sessionId }) {
    sessionId.trim();
  },
  extMethod: async (method, params) => ({ echoed: params["value"], method }),
};
