// A server on standard input and output, which does what the first block of a run says; or, with
// `SIDE=relay`, a relay.

import {
  Block,
  type Relay,
  RelaySideConnection,
  type RunRequest,
  type RunResponse,
  type Server,
  type ServerContext,
  ServerSideConnection,
} from "acp";
import { stdio } from "acp/node";

const server: Server = {
  hello({ name }) {
    // What it says of the version is for the connection to correct.
    const speaking = 9;
    if (name === "picture") return { speaking, welcome: Block.picture("p") };
    if (name === "boast") {
      return { speaking, abilities: { files: { read: true } } };
    }
    return { speaking, abilities: { pictures: true } };
  },
  ping: () => ({}),
  run,
  wait: (_, { signal }) => asleep(signal),
  drop: () => ({}),
  save: () => null,
};

async function run(
  { job, blocks: [block] }: RunRequest,
  context: ServerContext,
): Promise<RunResponse> {
  const ended = "done";
  switch (block?.kind === "plain" ? block.text : undefined) {
    case "sleep":
      return asleep(context.signal);
    case "version":
      return { ended, note: Block.plain(`${context.protocolVersion}`) };
    case "picture":
      return { ended, note: Block.picture("p") };
    case "confirm": {
      const { yes } = await context.client.confirm({ job });
      return { ended: yes ? "yes" : "no" };
    }
    default:
      return { ended };
  }
}

/** Waits until the request is cancelled. */
function asleep(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  });
}

const relay: Relay = { startRelay: ({ to }) => ({ from: to }) };

const connection =
  process.env["SIDE"] === "relay"
    ? new RelaySideConnection(() => relay, stdio())
    : new ServerSideConnection(() => server, stdio());
await connection.closed;
