// A client that starts a server, does what its prompts say, and prints each step, and the state
// after each change, as a line of JSON.

import {
  Block,
  ChangeState,
  type Client,
  ClientSideConnection,
  Entry,
  InfoUpdateCodec,
  ModeUpdateCodec,
  type Observed,
  PROTOCOL_VERSION,
  PageUpdateCodec,
  RequestError,
  TaskCodec,
} from "acp";
import { spawn } from "acp/node";

const state = new ChangeState();

const client: Client = {
  confirm: (_, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
    }),
  check: () => ({}),
  piece(handled) {
    print({ handled });
  },
  change({ change }) {
    const isOver = change.kind === "turn_over";
    const changed = isOver ? state.turnCancelled() : state.apply(change);
    const { tasks, pages, mode, info } = state;
    print({
      changed,
      state: {
        tasks: [...tasks.values()].map(TaskCodec.encode),
        pages: [...pages.values()].map(PageUpdateCodec.encode),
        mode: mode === undefined ? [] : [ModeUpdateCodec.encode(mode)],
        info: info === undefined ? [] : [InfoUpdateCodec.encode(info)],
      },
    });
  },
};

/** Waits for a step, and prints what came of it. */
async function step<T>(name: string, call: Promise<T>): Promise<T | undefined> {
  try {
    const result = await call;
    print({ step: name, result: result ?? null });
    return result;
  } catch (thrown) {
    const isAnswer = thrown instanceof RequestError;
    const error = isAnswer ? thrown : { message: String(thrown) };
    print({ step: name, error });
    return undefined;
  }
}

function print(line: unknown) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Says whether the conversation came to its end. */
async function talk(server: ClientSideConnection): Promise<boolean> {
  const prompts = JSON.parse(process.env["PROMPTS"] ?? "[]") as string[];
  const isBoasting = prompts[0] === "boast";
  const hello = server.hello({
    speak: PROTOCOL_VERSION,
    abilities: { pictures: true, ...(isBoasting && { drawing: true }) },
  });
  const greeted = await step("hello", hello);
  if (greeted === undefined && !isBoasting) return false;
  for (const prompt of prompts) {
    const [word, job = "a"] = prompt.split(" ");
    const blocks: Block[] = [Block.plain("hi")];
    switch (word) {
      case "run":
        await step("job/run", server.run({ job, blocks }));
        break;
      case "picture":
        blocks.push(Block.picture("p"));
        await step("job/run", server.run({ job, blocks }));
        break;
      case "chunk":
        await step(
          "job/run",
          server.run({ job, blocks, entry: Entry.chunk("hi") }),
        );
        break;
      case "folder":
        await step("job/run", server.run({ job, blocks, folder: "f" }));
        break;
      case "read":
        await step("read", server.read({ path: "p" }));
        break;
      case "save":
        await step("save", server.save({ text: "t" }));
        break;
      case "stop":
        await step("job/stop", server.stop({ job }));
        break;
      case "drop":
        await step("job/drop", server.drop({ job }));
        break;
      case "relay":
        await step("relay/start", server.relay.startRelay({ to: job }));
        break;
      case "version":
        print({ step: word, result: server.protocolVersion });
        break;
      case "copy":
        await copy(server);
        break;
      case "door":
        await door(server);
    }
  }
  return true;
}

/** Has a text copied, and prints each piece of it. */
async function copy(server: ClientSideConnection) {
  const copying = server.copyStreamed({ from: "f" });
  try {
    for await (const piece of copying) print({ piece });
  } catch {
    // The step says why.
  }
  await step(
    "copy",
    copying.finished.then(({ result }) => result),
  );
}

/** Prints what goes wrong. */
function observe({ type: seen, ...observed }: Observed): void {
  if (seen === "sent" || seen === "received") return;
  const method = seen === "dropped" ? { method: null } : {};
  print({ seen, ...method, ...observed, error: undefined });
}

/** Opens a door, does all that can be done with one, and shuts it. */
async function door(server: ClientSideConnection) {
  const opened = await server.openDoor({ house: "h" });
  print({ step: "door/open", result: opened.doorId });
  await step("door/look", opened.look());
  await step("door/paint", opened.paint({ colour: "red" }));
  await step("door/shut", opened.release());
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
  process.env["OBSERVED"] === "1" ? { observe } : {},
);
const isComplete = await talk(connection);
await connection.close();
process.exitCode = isComplete ? 0 : 1;
