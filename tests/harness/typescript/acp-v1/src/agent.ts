// The agent on standard input and output.

import { AgentSideConnection } from "acp";
import { stdio } from "acp/node";

import { makeAgent } from "./handlers.js";

const reportFailures = process.env["QUIET"] === undefined;
const connection = new AgentSideConnection(makeAgent, stdio(), {
  reportFailures,
});
await connection.closed;
