// A client of an agent on its standard streams. The first argument is the SDK's main module, the
// rest is the agent's command.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { Readable, Writable } from "node:stream";

import { converse } from "./client-app.mjs";

const [, , module, command, ...words] = process.argv;
const sdk = await import(pathToFileURL(module));
const agent = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
const stream = sdk.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
await converse(sdk, stream);
agent.kill();
