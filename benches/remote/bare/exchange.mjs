// The exchange of a round trip with nothing but the libraries that connections in TypeScript stand
// on: `ws`, or `fetch` and the server of Node. What they take is not for a connection to save.
//
//     node exchange.mjs websocket|http COUNT MODULES [URL]
//
// Without a URL it is the server, and prints one. With one it is the client, and prints the seconds
// that so many exchanges take, and those of a processor. MODULES is the folder in which `ws` is
// installed.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [, , transport, count, modules, url] = process.argv;
const { WebSocket, WebSocketServer } = createRequire(`${modules}/`)("ws");

const REQUEST =
  '{"jsonrpc":"2.0","id":12,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"updates 0"}]}}';
const ANSWER = '{"jsonrpc":"2.0","id":12,"result":{"stopReason":"end_turn"}}';

function listen(server) {
  server.listen(0, "127.0.0.1", () => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
  });
  process.stdin.resume().on("end", () => process.exit());
}

function serveSockets() {
  const server = createServer();
  new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
    socket.on("message", (data) => {
      JSON.parse(data.toString());
      socket.send(ANSWER);
    });
  });
  listen(server);
}

function serveEvents() {
  let stream;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      return;
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(202, { "content-length": "0" }).end();
    stream.write(`data: ${ANSWER}\n\n`);
  });
  listen(server);
}

async function exchangeMessages() {
  const socket = new WebSocket(url.replace("http", "ws"), { perMessageDeflate: false });
  await new Promise((resolve) => socket.once("open", resolve));
  const start = performance.now();
  for (let left = Number(count); left > 0; left -= 1) {
    const answer = new Promise((resolve) => socket.once("message", resolve));
    socket.send(REQUEST);
    JSON.parse((await answer).toString());
  }
  return performance.now() - start;
}

async function exchangeEvents() {
  const stream = await fetch(url, { headers: { accept: "text/event-stream" } });
  const events = stream.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const start = performance.now();
  for (let left = Number(count); left > 0; left -= 1) {
    const headers = { "content-type": "application/json" };
    const taken = await fetch(url, { method: "POST", headers, body: REQUEST });
    await taken.arrayBuffer();
    const { value } = await events.next();
    JSON.parse(value.slice("data: ".length));
  }
  return performance.now() - start;
}

const isSocket = transport === "websocket";
if (url === undefined) {
  if (isSocket) serveSockets();
  else serveEvents();
} else {
  const exchange = isSocket ? exchangeMessages : exchangeEvents;
  const before = process.cpuUsage();
  const time = await exchange();
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1e6;
  console.log(JSON.stringify({ seconds: time / 1000, processor }));
  process.exit();
}
