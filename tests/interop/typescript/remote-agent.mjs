// An agent on a free port, over HTTP and WebSocket. Prints {"url": …}; ends with its input. The
// first argument is the folder of the installed packages.
import { createServer } from "node:http";

import { makeAgent } from "./agent-app.mjs";
import { installed } from "./installed.mjs";

const load = installed(process.argv[2]);
const sdk = await load("acp-2.4.0");
const { AcpServer } = await load("acp-2.4.0/experimental/server");
const adapter = await load("acp-2.4.0/experimental/node");
const { default: WebSocket } = await load("ws");

const acp = new AcpServer({ createAgent: () => makeAgent(sdk) });
const sockets = new WebSocket.Server({ noServer: true });
const server = createServer(adapter.createNodeHttpHandler(acp));
server.on("upgrade", adapter.createNodeWebSocketUpgradeHandler(acp, sockets));
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/acp` }));
});
process.stdin.resume().on("end", () => process.exit(0));
