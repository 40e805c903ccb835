// A client that starts a server or connects to a URL, has an agent run, and prints each step as a
// line of JSON.

import {
  type Client,
  ClientSideConnection,
  ConnectionError,
  RequestError,
} from "acp";
import { spawn } from "acp/node";
import { remote } from "acp/remote/node";

let updates = 0;
/** Whether the server left before the end. */
let isLeft = false;

/** What says that it did. */
const ENDS = ["closed", "lost"];

const client: Client = {
  runProgress({ delta }) {
    updates += 1;
    if (process.env["VERBOSE"] === "1") print({ update: delta });
  },
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
  isLeft ||= error instanceof ConnectionError && ENDS.includes(error.kind);
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
async function talk(server: ClientSideConnection): Promise<boolean> {
  const initialized = await step(
    "initialize",
    server.initialize({
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "harness", version: "1" },
    }),
  );
  if (initialized === undefined) return false;
  await server.initialized({});
  const agents = await step("agents/list", server.listAgents({}));
  if (agents === undefined) return false;
  const prompts = JSON.parse(process.env["PROMPTS"] ?? "[]") as string[];
  for (const [index, input] of prompts.entries()) {
    const _meta = { progressToken: `t${index + 1}` };
    const answered = step(
      "agents/run",
      server.runAgent({ name: "obey", input, _meta }),
    );
    // What waits is woken at once.
    if (input === "slow") await server.initialized({});
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
  command.includes("://") ? remote(command) : spawn(command, parameters),
);
const isComplete = await talk(connection);
const isInOrder = isComplete && !isLeft;
await connection.close();
process.exitCode = isInOrder ? 0 : 1;
