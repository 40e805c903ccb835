// Sessions: what is known of them, and what the client may choose in them.

import { randomUUID } from "node:crypto";

import {
  RequestError,
  StateUpdate,
  type ClientPeer,
  type ContentBlock,
  type NewSessionRequest,
  type SessionConfigOption,
  type SessionInfo,
  type SessionUpdate,
} from "acp";

import { Turn } from "./turn.js";

export const CHOICES = {
  mode: [
    { value: "ask", name: "Ask first" },
    { value: "act", name: "Act at once" },
  ],
  model: [
    { value: "small", name: "Small" },
    { value: "large", name: "Large" },
  ],
} as const;

/** What is known of a session, and its work, one turn after the other. */
export class Session {
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

/** What the client may choose in a session. */
export function options(session: Session): SessionConfigOption[] {
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

export function invalid(property: string): RequestError {
  return RequestError.invalidParams(undefined, property);
}
