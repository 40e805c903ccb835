// The agent on a port.

import { readFileSync } from "node:fs";

import type { Agent, AgentContext } from "acp";
import {
  AgentServer,
  listen,
  Refusal,
  type RemoteLimits,
} from "acp/remote/node";

import { makeAgent } from "./handlers.js";

/** What it is started with; times are seconds. */
interface Options {
  http1?: boolean;
  hosts?: string[];
  origins?: string[];
  limits?: Partial<Record<keyof RemoteLimits, number>>;
  token?: string;
  /** Files with a certificate and its key. */
  tls?: { cert: string; key: string };
  /** Whether nothing is said of handlers: to hear of each one's end takes time. */
  quiet?: boolean;
}

const options = JSON.parse(process.argv[2] ?? "{}") as Options;
const { http1 = false, origins = [], hosts, token } = options;
const { tls, quiet = false } = options;

/** The limits that are times. */
const TIMES = ["reading", "idle", "sessionWait", "keepAlive", "ping", "opening"];

const limits = Object.fromEntries(
  Object.entries(options.limits ?? {}).map(([name, value]) => [
    name,
    TIMES.includes(name) ? value * 1000 : value,
  ]),
);

/** What handlers have the names of. */
const METHODS: Record<string, string> = {
  initialize: "initialize",
  authenticate: "authenticate",
  newSession: "session/new",
  loadSession: "session/load",
  prompt: "session/prompt",
};

/** How many connections there are, and how many of their handlers run. */
let connections = 0;
let running = 0;

/** Says when one of its handlers is cancelled, and how much there is to do. */
function reporting(agent: Agent): Agent {
  const handlers = Object.entries(agent).map(([name, handle]) => {
    const method = METHODS[name];
    if (method === undefined) return [name, handle];
    const report = async (params: unknown, context: AgentContext) => {
      context.signal.addEventListener("abort", () => {
        console.error(`cancelled ${method}`);
      });
      running += 1;
      try {
        return await (handle as (...all: unknown[]) => unknown)(params, context);
      } finally {
        running -= 1;
      }
    };
    return [name, report];
  });
  const all = Object.fromEntries(handlers) as unknown as Agent;
  return { ...all, extMethod: alive(agent) };
}

function alive(agent: Agent): NonNullable<Agent["extMethod"]> {
  return (method, params, context) => {
    if (method !== "_alive") return agent.extMethod?.(method, params, context);
    const tasks = process.getActiveResourcesInfo().length;
    return { connections, handlers: running, tasks };
  };
}

function authenticate({ headers }: { headers: Headers }): unknown {
  const authorization = headers.get("authorization");
  // After the token, there may be a name.
  const [given, name] = authorization?.split(":") ?? [];
  if (token === undefined || given === `Bearer ${token}`) return name;
  return given === "Bearer forbidden"
    ? new Refusal(403, "not for you")
    : new Refusal(401, "who are you?");
}

const server = new AgentServer(
  (connection) => {
    connections += 1;
    const ended = () => {
      connections -= 1;
      const reason: unknown = connection.signal.reason;
      console.error(
        `connection ended: ${reason instanceof Error ? reason.message : "closed"}`,
      );
    };
    // Once it is made.
    queueMicrotask(() => void connection.closed.then(ended));
    return quiet ? makeAgent() : reporting(makeAgent());
  },
  {
    http1,
    origins,
    limits,
    authenticate,
    ...(hosts && { allowedHosts: hosts }),
  },
);
const listening = await listen(server, {
  ...(tls && {
    tls: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) },
  }),
});
console.log(JSON.stringify({ url: listening.url }));
process.stdin.resume();
process.stdin.on("end", () => {
  void listening.drain(2000).then(() => process.exit(0));
});
