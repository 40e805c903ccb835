// A client that starts an agent, talks with it, and prints each step as a line of JSON.

import {
  type Client,
  ClientSideConnection,
  ConnectionError,
  RequestError,
} from "acp";
import { spawn } from "acp/node";

let updates = 0;
/** Whether the agent left before the end. */
let isLeft = false;

const client: Client = {
  sessionUpdate({ update }) {
    updates += 1;
    if (process.env["VERBOSE"] === "1") print({ update });
  },
  requestPermission({ options: [first] }) {
    if (first === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: first.optionId } };
  },
  readTextFile: () => ({ content: "hello" }),
};

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
  print({ step: name, updates, seconds, ...outcome(result, error) });
  if (error instanceof ConnectionError && error.kind === "closed") {
    isLeft = true;
  }
  return result;
}

function outcome(result: unknown, error: unknown) {
  if (error === undefined) return { result };
  if (error instanceof RequestError) return { error };
  return { error: { message: String(error) } };
}

function print(line: unknown) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
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
  const session = await step(
    "session/new",
    agent.newSession({ cwd: "/", mcpServers: [] }),
  );
  if (session === undefined) return false;
  const { sessionId } = session;
  const prompts = JSON.parse(process.env["PROMPTS"] ?? "[]") as string[];
  for (const text of prompts) {
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

const [command, ...parameters] = process.argv
  .slice(2)
  .filter((word) => word !== "--");
if (command === undefined) {
  console.error("usage: client -- COMMAND…");
  process.exit(2);
}
const connection = new ClientSideConnection(
  () => client,
  spawn(command, parameters),
);
const isComplete = await talk(connection);
const isInOrder = isComplete && !isLeft;
await connection.close();
process.exitCode = isInOrder ? 0 : 1;
