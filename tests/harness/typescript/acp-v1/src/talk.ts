// A client that talks with an agent, and prints each step as a line of JSON.

import { setTimeout } from "node:timers/promises";

import {
  type Client,
  ClientSideConnection,
  ConnectionError,
  type Observed,
  RequestError,
  type Stream,
} from "acp";

let updates = 0;
/** Whether the agent left before the end. */
let isLeft = false;

/** What says that it did. */
const ENDS = ["closed", "lost"];

const client: Client = {
  async sessionUpdate({ update }) {
    updates += 1;
    if (
      update.sessionUpdate === "agent_message_chunk" &&
      update.content.type === "text" &&
      update.content.text === "nap"
    ) {
      await setTimeout(1);
    }
    if (process.env["VERBOSE"] === "1") await print({ update });
  },
  async requestPermission({ options: [first] }, { signal }) {
    if (first?.optionId === "never") {
      console.error("asked session/request_permission");
      await ended(signal);
      console.error("cancelled session/request_permission");
    }
    if (first === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: first.optionId } };
  },
  readTextFile: () => ({ content: "hello" }),
};

/** Waits until a signal fires. */
function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
}

/** Waits for the end of a connection, and throws its reason. */
async function whyClosed(connection: ClientSideConnection): Promise<never> {
  await connection.closed;
  throw connection.signal.reason as Error;
}

/** Opens a session, or opens again one that the environment names. */
async function openSession(agent: ClientSideConnection) {
  const folder = { cwd: "/", mcpServers: [] };
  const known = process.env["LOAD"];
  if (known !== undefined) {
    const cwd = process.env["FOLDER"] ?? "/replay/3";
    const again = { ...folder, cwd, sessionId: known };
    const load = step("session/load", agent.loadSession(again));
    if (process.env["EARLY"] === "1") {
      const prompt = [{ type: "text" as const, text: "early" }];
      await step("session/prompt", agent.prompt({ sessionId: known, prompt }));
    }
    const loaded = await load;
    if (loaded !== undefined) return { sessionId: known };
  }
  return step("session/new", agent.newSession(folder));
}

/** Waits for a step, and prints what came of it. */
async function step<T>(name: string, call: Promise<T>): Promise<T | undefined> {
  updates = 0;
  const start = performance.now();
  let result: T | undefined;
  let error: unknown;
  try {
    result = await call;
  } catch (thrown) {
    error = thrown;
  }
  const seconds = (performance.now() - start) / 1000;
  await print({ step: name, updates, seconds, ...outcome(result, error) });
  isLeft ||= error instanceof ConnectionError && ENDS.includes(error.kind);
  return result;
}

function outcome(result: unknown, error: unknown) {
  if (error === undefined) return { result };
  if (error instanceof RequestError) return { error };
  return { error: { message: String(error) } };
}

/** Prints what goes wrong. */
function observe({ type: seen, ...observed }: Observed): void {
  if (seen === "sent" || seen === "received") return;
  const method = seen === "dropped" ? { method: null } : {};
  void print({ seen, ...method, ...observed, error: undefined });
}

/** Prints a line, and waits where more is written than is read. */
async function print(line: unknown): Promise<void> {
  if (process.stdout.write(`${JSON.stringify(line)}\n`)) return;
  await new Promise((resolve) => process.stdout.once("drain", resolve));
}

/** Talks with the agent at the other end, and exits with 0 if it came to its end. */
export async function converse(stream: Stream): Promise<void> {
  const options = process.env["OBSERVED"] === "1" ? { observe } : {};
  const connection = new ClientSideConnection(() => client, stream, options);
  const isComplete = await talk(connection);
  const isInOrder = isComplete && !isLeft;
  await connection.close();
  process.exitCode = isInOrder ? 0 : 1;
}

/** Says whether the conversation came to its end. */
async function talk(agent: ClientSideConnection): Promise<boolean> {
  const fs = { readTextFile: true, writeTextFile: false };
  const initialized = await step(
    "initialize",
    agent.initialize({ protocolVersion: 1, clientCapabilities: { fs } }),
  );
  if (initialized === undefined) return false;
  const methodId = initialized.authMethods?.[0]?.id ?? "none";
  await step("authenticate", agent.authenticate({ methodId }));
  const session = await openSession(agent);
  if (session === undefined) return false;
  let { sessionId } = session;
  // Of these nothing is printed.
  for (let left = Number(process.env["ROUND_TRIPS"] ?? 0); left > 0; left -= 1) {
    const prompt = [{ type: "text" as const, text: "updates 0" }];
    await agent.prompt({ sessionId, prompt });
  }
  const prompts = JSON.parse(process.env["PROMPTS"] ?? "[]") as string[];
  for (const text of prompts) {
    if (text === "idle") {
      await step("closed", whyClosed(agent));
      continue;
    }
    if (text === "branch") {
      const branched = agent.branchSession({ sessionId, cwd: "/early" });
      const branch = await step("session/branch", branched);
      if (branch === undefined) return false;
      ({ sessionId } = branch);
      continue;
    }
    const prompt = [{ type: "text" as const, text }];
    const answered = step(
      "session/prompt",
      agent.prompt({ sessionId, prompt }),
    );
    // What waits to be cancelled is cancelled at once.
    if (text === "slow") await agent.cancel({ sessionId });
    await answered;
  }
  return true;
}
