// Turns: each does what its prompt says.

import { randomUUID } from "node:crypto";

import {
  PlanUpdateContent,
  RequestError,
  RequestPermissionSubject,
  SessionUpdate,
  StateUpdate,
  ToolCallContent,
  type ClientPeer,
  type ContentBlock,
  type IdleStateUpdate,
} from "acp";

import type { Session } from "./session.js";

/** One turn: what happens in it is told to the client, and kept. */
export class Turn {
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

export function tellState(
  client: ClientPeer,
  { sessionId, state }: Session,
): Promise<void> {
  const update = SessionUpdate.stateUpdate(state);
  return client.updateSession({ sessionId, update });
}
