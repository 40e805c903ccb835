// The agent on standard input and output.

import { AgentSideConnection } from "acp";
import { stdio } from "acp/node";

import { makeAgent } from "./handlers.js";

const connection = new AgentSideConnection(makeAgent, stdio());
await connection.closed;
