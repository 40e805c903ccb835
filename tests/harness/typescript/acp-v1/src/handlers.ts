// An agent that does what its prompts say.

import {
  type Agent,
  type AgentContext,
  type ClientPeer,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from "acp";

/** Says that a session's prompts are cancelled. */
type Bells = Map<string, Set<() => void>>;

/** The agent of a connection. */
export function makeAgent(): Agent {
  const bells: Bells = new Map();
  let sessions = 0;
  // Says something of the session first, or refuses it, if the folder says so.
  const begin = async (cwd: string, client: ClientPeer): Promise<string> => {
    sessions += 1;
    const sessionId = `s${sessions}`;
    if (cwd.startsWith("/early")) await say(client, sessionId, "early");
    if (cwd.endsWith("/refuse")) throw RequestError.resourceNotFound();
    return sessionId;
  };
  return {
    // Which version that becomes is the connection's business.
    async initialize({ protocolVersion, clientInfo }, { signal }) {
      if (clientInfo?.name === "sleep") await aborted(signal);
      return {
        protocolVersion,
        authMethods: [{ id: "none", name: "none" }],
        agentCapabilities: { loadSession: true },
      };
    },
    authenticate() {},
    newSession: async ({ cwd }, { client }) => ({
      sessionId: await begin(cwd, client),
    }),
    branchSession: async ({ cwd }, { client }) => ({
      sessionId: await begin(cwd, client),
    }),
    async loadSession({ sessionId, cwd }, { client }) {
      if (cwd === "/refuse") throw RequestError.resourceNotFound();
      if (cwd === "/ask") await askPermission(client, sessionId);
      const [, replays] = /^\/replay\/(\d+)$/.exec(cwd) ?? [];
      await sayNumbers(client, sessionId, Number(replays ?? 0));
    },
    prompt: (request, context) => prompt(request, context, bells),
    cancel({ sessionId }) {
      for (const ring of bells.get(sessionId) ?? []) ring();
      bells.delete(sessionId);
    },
    extMethod(method, params) {
      if (method !== "_echo") throw RequestError.methodNotFound(method);
      return { echoed: params };
    },
    unknownMethod(method, params) {
      if (method !== "plain/echo") throw RequestError.methodNotFound(method);
      return { echoed: params };
    },
    unknownNotification() {},
  };
}

async function prompt(
  { sessionId, prompt: blocks }: PromptRequest,
  context: AgentContext,
  bells: Bells,
): Promise<PromptResponse> {
  // Its signal is made when it is asked for: most prompts do not.
  const { client } = context;
  const text = blocks.find((block) => block.type === "text")?.text ?? "";
  const [word, ...counts] = text.split(/\s+/);
  const number = (at: number, otherwise: number) =>
    Number(counts[at] ?? otherwise);
  switch (word) {
    case "updates":
      for (let count = number(0, 1); count > 0; count -= 1) {
        await say(client, sessionId, "x".repeat(number(1, 20)));
      }
      break;
    case "later":
      setTimeout(() => {
        void sayNumbers(client, sessionId, number(0, 1));
      }, 20);
      break;
    case "fs":
      for (let count = number(0, 1); count > 0; count -= 1) {
        const { content } = await client.readTextFile({
          sessionId,
          path: "/hello.txt",
        });
        if (content !== "hello") throw RequestError.internalError();
      }
      break;
    case "perm":
      await askPermission(client, sessionId);
      break;
    case "together":
      await say(
        client,
        sessionId,
        JSON.stringify(await together(client, number(0, 2))),
      );
      break;
    case "throw":
      throw new Error("thrown");
    case "throwcode":
      throw new RequestError(-32042, "custom", { x: 1 });
    case "panic":
      return panic(0);
    case "drop":
      return undefined as unknown as PromptResponse;
    case "slow":
      await cancelled(sessionId, context.signal, bells);
      return { stopReason: "cancelled" };
    case "sleep":
      return aborted(context.signal);
    case "spoil":
      await aborted(context.signal).catch(() => {
        throw new RequestError(-32042, "custom");
      });
      break;
    case "bad":
      await say(
        client,
        sessionId,
        JSON.stringify(await refusals(client, sessionId)),
      );
  }
  return { stopReason: "end_turn" };
}

async function say(client: ClientPeer, sessionId: string, text: string) {
  await client.sessionUpdate({
    sessionId,
    update: {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    },
  });
}

/** Says the numbers up to this one. */
async function sayNumbers(
  client: ClientPeer,
  sessionId: string,
  count: number,
) {
  for (let at = 0; at < count; at += 1) await say(client, sessionId, `${at}`);
}

async function askPermission(client: ClientPeer, sessionId: string) {
  const { outcome } = await client.requestPermission({
    sessionId,
    toolCall: { toolCallId: "t1" },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  });
  await say(client, sessionId, JSON.stringify(outcome));
}

/** What becomes of each of the calls of a batch. */
function together(client: ClientPeer, count: number): Promise<unknown[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const calls = client.batch((batch) =>
    numbers.map((number) =>
      batch.extMethod("_ask", { number }).catch(() => "failed"),
    ),
  );
  return Promise.all(calls);
}

/** Waits for `session/cancel`, or the cancellation of the request. */
function cancelled(
  sessionId: string,
  signal: AbortSignal,
  bells: Bells,
): Promise<void> {
  return new Promise((resolve) => {
    const waiting = bells.get(sessionId) ?? new Set();
    bells.set(sessionId, waiting.add(resolve));
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => {
      waiting.delete(resolve);
      resolve();
    });
  });
}

/** Ends as whoever fires the signal says. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  });
}

/** The codes of the errors that calls which are wrong get. */
async function refusals(client: ClientPeer, sessionId: string) {
  const codes: (number | null)[] = [];
  for (const method of [
    "no/such_method",
    "fs/read_text_file",
    "_no_such_extension",
  ]) {
    const code = await client.request(method, { sessionId }).then(
      () => null,
      (error: unknown) => (error instanceof RequestError ? error.code : null),
    );
    codes.push(code);
  }
  return codes;
}

/** Runs out of stack. */
function panic(depth: number): PromptResponse {
  return { ...panic(depth + 1) };
}
