// An agent on its standard streams. The first argument is the SDK's main module.
import { pathToFileURL } from "node:url";
import { Readable, Writable } from "node:stream";

import { makeAgent } from "./agent-app.mjs";

const [, , module] = process.argv;
const sdk = await import(pathToFileURL(module));
const stream = sdk.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
makeAgent(sdk).connect(stream);
