// A client of an agent at a URL. The arguments are the folder of the installed packages, the URL,
// and `http` or `websocket`.
import { converse } from "./client-app.mjs";
import { installed } from "./installed.mjs";

const [, , folder, url, transport] = process.argv;
const load = installed(folder);
const { createHttpStream } = await load("acp-2.4.0/experimental/http-client");
const { createWebSocketStream } = await load("acp-2.4.0/experimental/ws-client");
const { default: WebSocket } = await load("ws");

const stream =
  transport === "websocket"
    ? createWebSocketStream(url.replace("http", "ws"), { WebSocket })
    : createHttpStream(url);
await converse(await load("acp-2.4.0"), stream);
