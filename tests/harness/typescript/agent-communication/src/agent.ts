// A server with two agents: one gives its input back, the other does what its input says. It is on
// standard input and output, or if it is given options, on a port.

import {
  type ClientPeer,
  type ProgressToken,
  RequestError,
  type RunAgentRequest,
  type RunAgentResponse,
  type Server,
  type ServerContext,
  ServerSideConnection,
} from "acp";
import { stdio } from "acp/node";
import { listen, ServerServer } from "acp/remote/node";

/** A server, of one connection. */
function makeServer(): Server {
  // Wakes the runs that wait.
  const bells = new Set<() => void>();
  return {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { agents: {} },
      serverInfo: { name: "harness", version: "1" },
    }),
    // It is the only notification that a server takes.
    initialized() {
      for (const ring of bells) ring();
      bells.clear();
    },
    listAgents: () => ({
      agents: [
        {
          name: "echo",
          description: "Gives its input back.",
          inputSchema: true,
          outputSchema: true,
        },
        {
          name: "obey",
          description: "Does what its input says.",
          inputSchema: { type: "string" },
          outputSchema: true,
        },
      ],
    }),
    runAgent: (params, context) => runAgent(params, context, bells),
    unknownMethod(method, params) {
      if (method !== "plain/echo") throw RequestError.methodNotFound(method);
      return { echoed: params };
    },
    unknownNotification() {},
  };
}

async function runAgent(
  { name, input, _meta }: RunAgentRequest,
  { client, signal }: ServerContext,
  bells: Set<() => void>,
): Promise<RunAgentResponse> {
  if (name === "echo") return { output: input };
  const [word, ...counts] = String(input).split(" ");
  const number = (at: number, otherwise: number) =>
    Number(counts[at] ?? otherwise);
  const run = new Run(client, _meta?.progressToken);
  switch (word) {
    case "updates":
      for (let count = number(0, 1); count > 0; count -= 1) {
        await run.say("x".repeat(number(1, 20)));
      }
      break;
    case "fs":
      for (let count = number(0, 1); count > 0; count -= 1) {
        const content = await run.ask("_fetch");
        if (content !== "hello") throw RequestError.internalError();
      }
      break;
    case "perm":
      await run.say(await run.ask("_ask"));
      break;
    case "throw":
      throw new Error("thrown");
    case "throwcode":
      throw new RequestError(-32042, "custom", { x: 1 });
    case "panic":
      return panic(0);
    case "drop":
      return undefined as unknown as RunAgentResponse;
    case "slow":
      await new Promise<void>((resolve) => bells.add(resolve));
      return { output: null };
    case "sleep":
      return aborted(signal);
    case "bad":
      await run.say(JSON.stringify(await run.refusals()));
  }
  return { output: { text: run.text } };
}

/** A run, and what it gave so far. */
class Run {
  text = "";

  constructor(
    private readonly client: ClientPeer,
    private readonly token: ProgressToken | undefined,
  ) {}

  /** A piece of the output. */
  async say(text: string) {
    this.text += text;
    if (this.token === undefined) return;
    const progressToken = this.token;
    await this.client.runProgress({ progressToken, delta: { text } });
  }

  /** Asks the client what the protocol does not know. */
  async ask(method: string): Promise<string> {
    const result = (await this.client.request(method, {})) as {
      answer?: unknown;
    };
    if (typeof result.answer !== "string") throw RequestError.internalError();
    return result.answer;
  }

  /** The codes of the errors that calls which are wrong get. */
  async refusals() {
    const codes: (number | null)[] = [];
    for (const method of ["no/such_method", "_fetch", "_no_such_extension"]) {
      const code = await this.client.request(method, {}).then(
        () => null,
        (error: unknown) => (error instanceof RequestError ? error.code : null),
      );
      codes.push(code);
    }
    return codes;
  }
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

/** Runs out of stack. */
function panic(depth: number): RunAgentResponse {
  return { ...panic(depth + 1) };
}

if (process.argv.length > 2) {
  const served = new ServerServer(makeServer);
  const listening = await listen(served);
  console.log(JSON.stringify({ url: listening.url }));
  process.stdin.resume();
  process.stdin.on("end", () => {
    void listening.drain(2000).then(() => process.exit(0));
  });
} else {
  const connection = new ServerSideConnection(makeServer, stdio());
  await connection.closed;
}
