// An agent that has every method of version 2, and says so: what it does is what its prompt says.

import { AgentSideConnection, RequestError, type Agent } from "acp";
import { stdio } from "acp/node";

import { CHOICES, invalid, options, Session } from "./session.js";
import { tellState } from "./turn.js";

const METHOD = { methodId: "token", name: "A token that the agent has" };
/** So many sessions are listed at once. */
const PAGE = 50;

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

new AgentSideConnection(() => agent, stdio());
