// Plays the part of a forge that keeps the comments of a pull request, and runs a program against it
// as often as it is told to: `node forge.mjs PROGRAM TIMES REFUSES`. Prints what was asked for, and
// the comments that there are in the end.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";

const [program, times, refuses] = process.argv.slice(2);
const asked = [];
// Somebody's own words, of whom none may be overwritten.
const comments = Array.from({ length: 100 }, (_, id) => ({
  id,
  body: id === 7 ? "<!-- acp-bindgen diff  -->\nmine" : "hello",
  user: { type: "User" },
}));

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://127.0.0.1");
  asked.push(`${request.method} ${url.pathname}`);
  let text = "";
  for await (const part of request) {
    text += part;
  }
  const answer = (status, value) => response.writeHead(status).end(JSON.stringify(value));
  if (refuses === "true" || request.headers.authorization !== "Bearer secret") {
    answer(403, {});
  } else if (request.method === "GET") {
    const page = Number(url.searchParams.get("page"));
    answer(200, comments.slice((page - 1) * 100, page * 100));
  } else if (request.method === "POST") {
    const comment = { id: comments.length, ...JSON.parse(text), user: { type: "Bot" } };
    comments.push(comment);
    answer(201, comment);
  } else {
    const comment = comments[Number(url.pathname.split("/").at(-1))];
    answer(200, Object.assign(comment, JSON.parse(text)));
  }
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const GITHUB_API_URL = `http://127.0.0.1:${server.address().port}`;
for (let time = 1; time <= Number(times); time += 1) {
  const REPORT = process.env[`REPORT_${time}`];
  const env = { ...process.env, GITHUB_API_URL, GITHUB_REPOSITORY: "ann/lamp", TOKEN: "secret", REPORT };
  const child = spawn("node", [program], { env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  asked.push(`exit ${code}`);
}
server.close();
const changed = comments.filter(({ body }) => body !== "hello").map(({ id, body }) => [id, body]);
console.log(JSON.stringify({ asked, changed }));
