// An agent that has every method of version 1, and says so: what it does is what its prompt says.

import { randomUUID } from "node:crypto";

import {
  AgentSideConnection,
  ConnectionError,
  ContentBlock,
  RequestError,
  SessionConfigOption,
  SessionUpdate,
  ToolCallContent,
  type Agent,
  type AgentContext,
  type AuthenticateRequest,
  type CancelNotification,
  type ClientPeer,
  type CloseSessionRequest,
  type DeleteSessionRequest,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type NewSessionRequest,
  type NewSessionResponse,
  type PromptRequest,
  type PromptResponse,
  type ResumeSessionRequest,
  type ResumeSessionResponse,
  type SessionInfo,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  type SetSessionModeRequest,
} from "acp";
import { stdio } from "acp/node";

const METHOD = { id: "token", name: "A token that the agent has" };
const MODES = [
  { id: "ask", name: "Ask first" },
  { id: "act", name: "Act at once" },
];
const MODELS = [
  { value: "small", name: "Small" },
  { value: "large", name: "Large" },
];
/** So many sessions are listed at once. */
const PAGE = 50;

/** What is known of a session, whether it is active or not. */
class Session {
  readonly sessionId: string = randomUUID();
  cwd: string;
  additionalDirectories: string[];
  title: string | null = null;
  updatedAt: string = new Date().toISOString();
  modeId = "ask";
  model = "small";
  isVerbose = false;
  isActive = true;
  /** All that was said, as it is replayed. */
  readonly history: SessionUpdate[] = [];

  constructor({ cwd, additionalDirectories = [] }: NewSessionRequest) {
    this.cwd = cwd;
    this.additionalDirectories = additionalDirectories;
  }

  info(): SessionInfo {
    const { sessionId, cwd, additionalDirectories, title, updatedAt } = this;
    return { sessionId, cwd, additionalDirectories, title, updatedAt };
  }

  activate({ cwd, additionalDirectories = [] }: ResumeSessionRequest): void {
    this.cwd = cwd;
    this.additionalDirectories = additionalDirectories;
    this.isActive = true;
  }
}

/** One turn: what happens in it is told to the client, and kept. */
class Turn {
  readonly session: Session;
  readonly client: ClientPeer;
  readonly signal: AbortSignal;

  constructor(session: Session, { client, signal }: AgentContext) {
    this.session = session;
    this.client = client;
    this.signal = signal;
  }

  async tell(update: SessionUpdate): Promise<void> {
    this.signal.throwIfAborted();
    const { sessionId, history } = this.session;
    history.push(update);
    await this.client.sessionUpdate({ sessionId, update });
  }

  say(content: ContentBlock | string): Promise<void> {
    return this.tell(SessionUpdate.agentMessageChunk(content));
  }

  /** Does what a prompt says. */
  async run(prompt: ContentBlock[]): Promise<void> {
    const [first] = prompt;
    switch (first?.type === "text" ? first.text : undefined) {
      case "permission":
        return this.permission();
      case "tool":
        return this.tool();
      case "file":
        return this.offered("files", () => this.file());
      case "terminal":
        return this.offered("terminals", () => this.terminal());
      case "slow":
        return this.slow();
      default:
        for (const content of prompt) await this.say(content);
    }
  }

  async permission(): Promise<void> {
    const { client, session, signal } = this;
    const { outcome } = await client.requestPermission(
      {
        sessionId: session.sessionId,
        toolCall: { toolCallId: randomUUID(), title: "Do it", kind: "execute" },
        options: [
          { optionId: "yes", name: "Yes", kind: "allow_once" },
          { optionId: "no", name: "No", kind: "reject_once" },
        ],
      },
      { signal },
    );
    await this.say(
      outcome.outcome === "selected"
        ? `permission: selected ${outcome.optionId}`
        : "permission: cancelled",
    );
  }

  async tool(): Promise<void> {
    const id = randomUUID();
    const rest = { kind: "think", status: "in_progress" } as const;
    await this.tell(SessionUpdate.toolCall(id, "Think", rest));
    const content = [ToolCallContent.content("It is thought.")];
    const done = { status: "completed", content } as const;
    await this.tell(SessionUpdate.toolCallUpdate(id, done));
    const entry = { content: "Think", priority: "medium" } as const;
    await this.tell(SessionUpdate.plan([{ ...entry, status: "completed" }]));
  }

  async file(): Promise<void> {
    const { client, session, signal } = this;
    const { sessionId, cwd } = session;
    const path = `${cwd.replace(/\/$/, "")}/file.txt`;
    const request = { sessionId, path };
    const { content } = await client.readTextFile(request, { signal });
    await this.say(content);
  }

  async terminal(): Promise<void> {
    const { client, session, signal } = this;
    const { sessionId, cwd } = session;
    const request = { sessionId, cwd, command: "echo", args: ["hi"] };
    const terminal = await client.createTerminal(request, { signal });
    try {
      const { exitCode } = await terminal.waitForExit({}, { signal });
      const { output } = await terminal.currentOutput({}, { signal });
      await this.say(`${output} (${String(exitCode ?? "killed")})`);
    } finally {
      await terminal.release();
    }
  }

  slow(): Promise<never> {
    const { signal } = this;
    return new Promise((_, reject) => {
      const stop = (): void => {
        reject(signal.reason as Error);
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** Does what a client may not offer, or may refuse; says so then. */
  async offered(what: string, use: () => Promise<void>): Promise<void> {
    try {
      await use();
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof RequestError) {
        await this.say(`the client refused: ${error.message}`);
      } else if (
        error instanceof ConnectionError &&
        error.kind === "not-supported"
      ) {
        await this.say(`the client offers no ${what}`);
      } else {
        throw error;
      }
    }
  }
}

/** The sessions of one client. */
class FullAgent implements Agent {
  readonly #sessions = new Map<string, Session>();
  #isLoggedIn = true;
  #hasSwitches = false;

  initialize(
    { clientCapabilities }: InitializeRequest,
    { protocolVersion }: AgentContext,
  ): InitializeResponse {
    const { boolean } = clientCapabilities?.session?.configOptions ?? {};
    this.#hasSwitches = boolean != null;
    return {
      protocolVersion,
      agentInfo: { name: "full", title: "Full agent", version: "1.0.0" },
      authMethods: [METHOD],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        sessionCapabilities: {
          list: {},
          delete: {},
          resume: {},
          close: {},
          additionalDirectories: {},
        },
        auth: { logout: {} },
      },
    };
  }

  authenticate({ methodId }: AuthenticateRequest): void {
    if (methodId !== METHOD.id) throw invalid("methodId");
    this.#isLoggedIn = true;
  }

  logout(): void {
    this.#isLoggedIn = false;
  }

  newSession(request: NewSessionRequest): NewSessionResponse {
    if (!this.#isLoggedIn) throw RequestError.authRequired();
    const session = new Session(request);
    const { sessionId } = session;
    this.#sessions.set(sessionId, session);
    return { sessionId, ...this.#choices(session) };
  }

  listSessions({ cwd, cursor }: ListSessionsRequest): ListSessionsResponse {
    const from = Number(cursor ?? 0);
    if (!Number.isSafeInteger(from) || from < 0) throw invalid("cursor");
    const all = [...this.#sessions.values()];
    const some = cwd == null ? all : all.filter((it) => it.cwd === cwd);
    const to = from + PAGE;
    const sessions = some.slice(from, to).map((session) => session.info());
    const hasMore = to < some.length;
    return hasMore ? { sessions, nextCursor: String(to) } : { sessions };
  }

  async loadSession(
    request: LoadSessionRequest,
    { client }: AgentContext,
  ): Promise<LoadSessionResponse> {
    const session = this.#find(request.sessionId);
    session.activate(request);
    const { sessionId } = session;
    for (const update of [...session.history])
      await client.sessionUpdate({ sessionId, update });
    return this.#choices(session);
  }

  resumeSession(request: ResumeSessionRequest): ResumeSessionResponse {
    const session = this.#find(request.sessionId);
    session.activate(request);
    return this.#choices(session);
  }

  /** The connection has cancelled its turn by now. */
  closeSession({ sessionId }: CloseSessionRequest): void {
    this.#active(sessionId).isActive = false;
  }

  /** That there is no such session any more is all that is asked for. */
  deleteSession({ sessionId }: DeleteSessionRequest): void {
    this.#sessions.delete(sessionId);
  }

  setSessionMode({ sessionId, modeId }: SetSessionModeRequest): void {
    const session = this.#active(sessionId);
    if (!MODES.some(({ id }) => id === modeId)) throw invalid("modeId");
    session.modeId = modeId;
  }

  setSessionConfigOption(
    request: SetSessionConfigOptionRequest,
  ): SetSessionConfigOptionResponse {
    const session = this.#active(request.sessionId);
    const { configId, value } = request;
    if (configId === "model") {
      const model = MODELS.find((it) => it.value === value);
      if (!model) throw invalid("value");
      session.model = model.value;
    } else if (configId === "verbose" && this.#hasSwitches) {
      if (typeof value !== "boolean") throw invalid("value");
      session.isVerbose = value;
    } else {
      throw invalid("configId");
    }
    return { configOptions: this.#options(session) };
  }

  async prompt(
    { sessionId, prompt }: PromptRequest,
    context: AgentContext,
  ): Promise<PromptResponse> {
    const session = this.#active(sessionId);
    const [first] = prompt;
    if (first?.type === "text") session.title ??= first.text.slice(0, 80);
    session.updatedAt = new Date().toISOString();
    for (const content of prompt)
      session.history.push(SessionUpdate.userMessageChunk(content));
    await new Turn(session, context).run(prompt);
    return { stopReason: "end_turn" };
  }

  /** The connection has cancelled the turn by now. */
  cancel({ sessionId }: CancelNotification): void {
    const session = this.#sessions.get(sessionId);
    if (session) session.updatedAt = new Date().toISOString();
  }

  #find(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (!session) throw RequestError.resourceNotFound(sessionId);
    return session;
  }

  #active(sessionId: string): Session {
    const session = this.#find(sessionId);
    if (!session.isActive) throw invalid("sessionId");
    return session;
  }

  /** What the client may choose in a session. */
  #choices(session: Session): LoadSessionResponse {
    return {
      modes: { currentModeId: session.modeId, availableModes: MODES },
      configOptions: this.#options(session),
    };
  }

  /** Switches are for clients that know them. */
  #options({ model, isVerbose }: Session): SessionConfigOption[] {
    const options: SessionConfigOption[] = [
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        currentValue: model,
        options: MODELS,
      },
    ];
    if (this.#hasSwitches)
      options.push({
        id: "verbose",
        name: "Verbose",
        type: "boolean",
        currentValue: isVerbose,
      });
    return options;
  }
}

function invalid(property: string): RequestError {
  return RequestError.invalidParams(undefined, property);
}

new AgentSideConnection(() => new FullAgent(), stdio());
