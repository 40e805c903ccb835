// A client that connects to an agent over a network, and talks with it.

import { remote } from "acp/remote/node";

import { converse } from "./talk.js";

const [url, transport, options] = process.argv.slice(2);
if (
  url === undefined ||
  (transport !== "http" && transport !== "websocket" && transport !== "auto")
) {
  console.error("usage: remote-client URL http|websocket|auto [OPTIONS]");
  process.exit(2);
}
const {
  headers,
  sessionWait = 10,
  opening = 30,
} = JSON.parse(options ?? "{}") as {
  headers?: Record<string, string>;
  sessionWait?: number;
  opening?: number;
};
const limits = { sessionWait: 1000 * sessionWait, opening: 1000 * opening };
await converse(remote(url, { transport, limits, ...(headers && { headers }) }));
