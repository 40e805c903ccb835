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
  body = 2 ** 26,
  ping = 20,
} = JSON.parse(options ?? "{}") as {
  headers?: Record<string, string>;
  sessionWait?: number;
  opening?: number;
  body?: number;
  ping?: number;
};
const limits = {
  sessionWait: 1000 * sessionWait,
  opening: 1000 * opening,
  body,
  ping: 1000 * ping,
};
await converse(remote(url, { transport, limits, ...(headers && { headers }) }));
