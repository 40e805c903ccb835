// An agent that has every method of version 2, and says so: what it does is what its prompt says.

import { randomUUID } from "node:crypto";

import {
  AgentSideConnection,
  PlanUpdateContent,
  RequestError,
  RequestPermissionSubject,
  SessionUpdate,
  StateUpdate,
  ToolCallContent,
  type Agent,
  type ClientPeer,
  type ContentBlock,
  type IdleStateUpdate,
  type NewSessionRequest,
  type SessionConfigOption,
  type SessionInfo,
} from "acp";
import { stdio } from "acp/node";

const METHOD = { methodId: "token", name: "A token that the agent has" };
const CHOICES = {
  mode: [
    { value: "ask", name: "Ask first" },
    { value: "act", name: "Act at once" },
  ],
  model: [
    { value: "small", name: "Small" },
    { value: "large", name: "Large" },
  ],
} as const;
/** So many sessions are listed at once. */
const PAGE = 50;

/** What is known of a session, and its work, one turn after the other. */
class Session {
  readonly sessionId: string = randomUUID();
  cwd: string;
  additionalDirectories: string[];
  title: string | null = null;
  updatedAt: string = new Date().toISOString();
  mode = "ask";
  model = "small";
  isVerbose = false;
  isActive = true;
  state: StateUpdate = StateUpdate.idle({});
  /** All that was said and done, as it is replayed. */
  readonly history: SessionUpdate[] = [];
  /** What stops the tools and terminals that can be stopped. */
  readonly stops = new Map<string, () => void>();
  #stop = new AbortController();
  #work = Promise.resolve();

  constructor({ cwd, additionalDirectories = [] }: NewSessionRequest) {
    this.cwd = cwd;
    this.additionalDirectories = additionalDirectories;
  }

  info(): SessionInfo {
    const { sessionId, cwd, additionalDirectories, title, updatedAt } = this;
    return { sessionId, cwd, additionalDirectories, title, updatedAt };
  }

  /** Gives the id of the message. Its turn comes after those before it. */
  prompt(client: ClientPeer, content: ContentBlock[]): string {
    const messageId = randomUUID();
    const turn = new Turn(this, client, this.#stop.signal);
    const gone = (): undefined => undefined;
    const work = this.#work.then(() => turn.run(messageId, content));
    this.#work = work.catch(gone);
    return messageId;
  }

  /** Resolves when all work has ended. */
  cancel(): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    return this.#work;
  }

  stop(id: string): void {
    const stop = this.stops.get(id);
    if (!stop) throw invalid("id");
    stop();
  }
}

/** One turn: what happens in it is told to the client, and kept. */
class Turn {
  readonly session: Session;
  readonly client: ClientPeer;
  readonly signal: AbortSignal;
  readonly answerId: string = randomUUID();

  constructor(session: Session, client: ClientPeer, signal: AbortSignal) {
    this.session = session;
    this.client = client;
    this.signal = signal;
  }

  async run(messageId: string, content: ContentBlock[]): Promise<void> {
    await this.tell(SessionUpdate.userMessage(messageId, { content }));
    await this.enter(StateUpdate.running());
    await this.enter(StateUpdate.idle(await this.end(content)));
  }

  /** How a turn ends: it has been cancelled, or has failed, or all is done. */
  async end(content: ContentBlock[]): Promise<IdleStateUpdate> {
    try {
      this.signal.throwIfAborted();
      await this.act(content);
    } catch (failure) {
      if (this.signal.aborted) return { stopReason: "cancelled" };
      const error = failure instanceof RequestError ? failure : undefined;
      const { code, message } = error ?? RequestError.internalError();
      return { stopReason: "error", error: { code, message } };
    }
    return { stopReason: "end_turn" };
  }

  /** Does what a prompt says. */
  async act(content: ContentBlock[]): Promise<void> {
    const [first] = content;
    switch (first?.type === "text" ? first.text : undefined) {
      case "permission":
        return this.permission();
      case "tool":
        return this.tool();
      case "long tool":
        return this.longTool();
      case "file":
        return this.say("version 2 has no files of the client");
      case "terminal":
        return this.terminal();
      case "long terminal":
        return this.longTerminal();
      case "slow":
        return this.stopped();
      default:
        for (const block of content) {
          this.signal.throwIfAborted();
          await this.say(block);
        }
    }
  }

  async permission(): Promise<void> {
    const { client, session, signal } = this;
    const { sessionId } = session;
    const toolCall = { toolCallId: randomUUID(), title: "Do it" };
    const subject = RequestPermissionSubject.toolCall(toolCall);
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    await this.enter(StateUpdate.requiresAction());
    const { outcome } = await client.requestPermission(
      { sessionId, title: "Do it?", subject, options },
      { signal },
    );
    await this.enter(StateUpdate.running());
    await this.say(
      outcome.outcome === "selected"
        ? `permission: selected ${outcome.optionId}`
        : `permission: ${outcome.outcome}`,
    );
  }

  async tool(): Promise<void> {
    const id = randomUUID();
    const begun = { title: "Think", kind: "think", status: "in_progress" };
    await this.tell(SessionUpdate.toolCallUpdate(id, begun));
    const content = [ToolCallContent.content("It is thought.")];
    const done = { status: "completed", content };
    await this.tell(SessionUpdate.toolCallUpdate(id, done));
    const entry = { content: "Think", priority: "medium", status: "completed" };
    const plan = PlanUpdateContent.items("plan", [entry]);
    await this.tell(SessionUpdate.planUpdate(plan));
  }

  /** A tool that ends when it is stopped. */
  async longTool(): Promise<void> {
    const id = randomUUID();
    const status = "in_progress";
    const begun = { title: "Wait", status, capabilities: { cancel: {} } };
    await this.tell(SessionUpdate.toolCallUpdate(id, begun));
    try {
      await this.stopped(id);
    } finally {
      const done = { status: "cancelled", capabilities: null };
      await this.tell(SessionUpdate.toolCallUpdate(id, done));
    }
  }

  async terminal(): Promise<void> {
    const id = randomUUID();
    const { cwd } = this.session;
    await this.tell(SessionUpdate.terminalUpdate(id, { command: "echo", cwd }));
    const data = Buffer.from("hi\n").toString("base64");
    await this.tell(SessionUpdate.terminalOutputChunk(id, data));
    const exitStatus = { exitCode: 0 };
    await this.tell(SessionUpdate.terminalUpdate(id, { exitStatus }));
  }

  /** A terminal whose process ends when it is stopped. */
  async longTerminal(): Promise<void> {
    const id = randomUUID();
    const { cwd } = this.session;
    const begun = { command: "wait", cwd, capabilities: { cancel: {} } };
    await this.tell(SessionUpdate.terminalUpdate(id, begun));
    try {
      await this.stopped(id);
    } finally {
      const exitStatus = { signal: "SIGTERM" };
      const done = { exitStatus, capabilities: null };
      await this.tell(SessionUpdate.terminalUpdate(id, done));
    }
  }

  /** Resolves when what has this id is stopped; fails if the turn is. */
  async stopped(id: string = randomUUID()): Promise<void> {
    const { signal } = this;
    const { stops } = this.session;
    try {
      await new Promise<void>((resolve, reject) => {
        const stop = (): void => {
          reject(signal.reason as Error);
        };
        stops.set(id, resolve);
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      });
    } finally {
      stops.delete(id);
    }
  }

  say(content: ContentBlock | string): Promise<void> {
    const { answerId } = this;
    return this.tell(SessionUpdate.agentMessageChunk(answerId, content));
  }

  async tell(update: SessionUpdate): Promise<void> {
    const { sessionId, history } = this.session;
    history.push(update);
    await this.client.updateSession({ sessionId, update });
  }

  async enter(state: StateUpdate): Promise<void> {
    const { session } = this;
    session.state = state;
    await tellState(this.client, session);
  }
}

const sessions = new Map<string, Session>();
let isLoggedIn = true;

const agent: Agent = {
  initialize(_, { protocolVersion }) {
    const prompt = { image: {}, audio: {}, embeddedContext: {} };
    const session = { prompt, delete: {}, additionalDirectories: {} };
    return {
      protocolVersion,
      info: { name: "full", title: "Full agent", version: "1.0.0" },
      authMethods: [{ ...METHOD, type: "agent" }],
      capabilities: { session, auth: {} },
    };
  },

  loginAuth({ methodId }) {
    if (methodId !== METHOD.methodId) throw invalid("methodId");
    isLoggedIn = true;
  },

  logoutAuth() {
    isLoggedIn = false;
  },

  newSession(request) {
    if (!isLoggedIn) throw RequestError.authRequired();
    const session = new Session(request);
    const { sessionId } = session;
    sessions.set(sessionId, session);
    return { sessionId, configOptions: options(session) };
  },

  listSessions({ cwd, cursor }) {
    const from = Number(cursor ?? 0);
    if (!Number.isSafeInteger(from) || from < 0) throw invalid("cursor");
    const all = [...sessions.values()];
    const some = cwd == null ? all : all.filter((it) => it.cwd === cwd);
    const to = from + PAGE;
    const page = some.slice(from, to).map((session) => session.info());
    const nextCursor = to < some.length ? String(to) : null;
    return { sessions: page, nextCursor };
  },

  async resumeSession(request, { client }) {
    const { sessionId, cwd, additionalDirectories = [], replayFrom } = request;
    const session = find(sessionId);
    if (cwd !== session.cwd) throw invalid("cwd");
    if (replayFrom && replayFrom.type !== "start") throw invalid("replayFrom");
    session.additionalDirectories = additionalDirectories;
    session.isActive = true;
    for (const update of replayFrom ? [...session.history] : [])
      await client.updateSession({ sessionId, update });
    await tellState(client, session);
    return { configOptions: options(session) };
  },

  /** One that is not active is closed already. */
  async closeSession({ sessionId }) {
    const session = sessions.get(sessionId);
    if (!session) return;
    session.isActive = false;
    await session.cancel();
  },

  /** That there is no such session any more is all that is asked for. */
  async deleteSession({ sessionId }) {
    const session = sessions.get(sessionId);
    sessions.delete(sessionId);
    await session?.cancel();
  },

  prompt({ sessionId, prompt }, { client }) {
    const session = findActive(sessionId);
    const [first] = prompt;
    if (first?.type === "text") session.title ??= first.text.slice(0, 80);
    session.updatedAt = new Date().toISOString();
    return { messageId: session.prompt(client, prompt) };
  },

  async cancelSession({ sessionId }) {
    await sessions.get(sessionId)?.cancel();
  },

  cancelToolCall({ sessionId, toolCallId }) {
    findActive(sessionId).stop(toolCallId);
  },

  cancelTerminal({ sessionId, terminalId }) {
    findActive(sessionId).stop(terminalId);
  },

  setSessionConfigOption({ sessionId, configId, value }) {
    const session = findActive(sessionId);
    if (configId === "mode" || configId === "model") {
      const choice = CHOICES[configId].find((it) => it.value === value);
      if (!choice) throw invalid("value");
      session[configId] = choice.value;
    } else if (configId === "verbose") {
      if (typeof value !== "boolean") throw invalid("value");
      session.isVerbose = value;
    } else {
      throw invalid("configId");
    }
    return { configOptions: options(session) };
  },
};

function find(sessionId: string): Session {
  const session = sessions.get(sessionId);
  if (!session) throw RequestError.resourceNotFound(sessionId);
  return session;
}

function findActive(sessionId: string): Session {
  const session = find(sessionId);
  if (!session.isActive) throw invalid("sessionId");
  return session;
}

function tellState(
  client: ClientPeer,
  { sessionId, state }: Session,
): Promise<void> {
  const update = SessionUpdate.stateUpdate(state);
  return client.updateSession({ sessionId, update });
}

/** What the client may choose in a session. */
function options(session: Session): SessionConfigOption[] {
  const select = (configId: "mode" | "model"): SessionConfigOption => ({
    configId,
    name: configId,
    category: configId,
    type: "select",
    currentValue: session[configId],
    options: [...CHOICES[configId]],
  });
  const currentValue = session.isVerbose;
  const verbose = { configId: "verbose", name: "verbose", currentValue };
  return [select("mode"), select("model"), { ...verbose, type: "boolean" }];
}

function invalid(property: string): RequestError {
  return RequestError.invalidParams(undefined, property);
}

new AgentSideConnection(() => agent, stdio());
