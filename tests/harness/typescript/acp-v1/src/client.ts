// A client that starts an agent, and talks with it.

import { spawn } from "acp/node";

import { converse } from "./talk.js";

const [command, ...parameters] = process.argv
  .slice(2)
  .filter((word) => word !== "--");
if (command === undefined) {
  console.error("usage: client -- COMMAND…");
  process.exit(2);
}
await converse(spawn(command, parameters));
