// Uses the page of an agent on the network as a person does, loses its connection meanwhile, and
// prints what was found as JSON.

import net from "node:net";
import { Page } from "../docs/chromium.mjs";

const [program, profile, url] = process.argv.slice(2);

/** What stands between the page and the agent, and can cut all that goes through it. */
async function cable() {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  const server = net.createServer((inner) => {
    const outer = net.connect(port, hostname);
    inner.pipe(outer).pipe(inner);
    for (const [socket, other] of [[inner, outer], [outer, inner]]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    close: () => server.close(),
  };
}

const page = await Page.open(program, profile);
const text = (id) => page.value(`document.getElementById("${id}").textContent`);
const lines = () =>
  page.value(`Array.from(document.querySelectorAll("#talk li"), (it) => [it.className, it.textContent])`);

/** Waits until the page's state begins with this, and gives it. */
async function state(beginning) {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await text("state");
    if (found.startsWith(beginning)) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no "${beginning}", but "${await text("state")}" and ${JSON.stringify(await lines())}`);
}

/** Waits until the agent's line begins with this. */
async function heard(beginning) {
  for (let tries = 0; tries < 600; tries += 1) {
    const [who, said] = (await lines()).at(-1) ?? [];
    if (who === "agent" && said.startsWith(beginning)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`"${beginning}" was not heard, but ${JSON.stringify(await lines())}`);
}

async function say(words) {
  await page.value(`document.getElementById("text").value = ${JSON.stringify(words)}`);
  await page.value(`document.getElementById("form").requestSubmit()`);
}

/** Counts what the page asks the endpoint for. */
function asked() {
  const requests = page.requests.filter((it) => new URL(it).pathname === "/acp").length;
  page.requests = [];
  return requests > 0;
}

async function use(transport) {
  const wire = await cable();
  const found = {};
  await page.go(`${wire.url}/?transport=${transport}`);
  found.connected = await state("Connected");

  // Updates come one by one, and all before the turn is over.
  await page.value(`
    globalThis.seen = [];
    new MutationObserver(() => {
      const last = document.querySelector("#talk li:last-child.agent")?.textContent;
      if (last !== undefined && last !== seen.at(-1)) seen.push(last);
    }).observe(document.getElementById("talk"), { childList: true, subtree: true, characterData: true })`);
  await say("one two three");
  await state("Done.");
  found.grew = (await page.value("seen.length")) > 1;
  found.talk = await lines();

  // A turn is stopped.
  await say("a b c d e f g h i j k l m n o p");
  await heard("a ");
  await page.value(`document.getElementById("stop").click()`);
  found.stopped = await state("Stopped.");
  found.problems = [...page.problems];

  // The connection is lost in a turn; the session is loaded again on the next.
  const session = await page.value(`sessionStorage.getItem("session")`);
  await say("four five six seven eight nine ten");
  await heard("four ");
  wire.cut();
  found.again = await state("Connected.");
  const loaded = await lines();
  found.loaded = loaded.slice(0, 2);
  found.asked = loaded.at(-2);
  found.isCut = loaded.at(-1)[1].startsWith("four ") && !loaded.at(-1)[1].includes("ten");
  found.isSame = session === (await page.value(`sessionStorage.getItem("session")`));
  await say("still there?");
  await state("Done.");
  found.answered = (await lines()).slice(-2);

  // The page is loaded again; the session is the same.
  const before = await lines();
  await page.go(`${wire.url}/?transport=${transport}`);
  await state("Connected.");
  const after = await lines();
  found.kept = JSON.stringify(before) === JSON.stringify(after);
  found.usesHttp = asked();
  // What the browser itself says of the cut is no fault of the page.
  found.faults = page.problems.filter((it) => !/net::ERR_|WebSocket connection/.test(it));
  page.problems = [];
  wire.close();
  return found;
}

const found = {};
try {
  for (const transport of ["websocket", "http", "auto"]) found[transport] = await use(transport);
} finally {
  await page.close();
}
console.log(JSON.stringify(found));
process.exit();
