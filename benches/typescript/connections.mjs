// Updates and round trips a second over standard streams, with ours at both ends and with the
// official SDK at both ends, in turn.
//
// usage: node connections.mjs ROOT [ROUNDS], where ROOT holds both; `connections.mjs ROOT WHO agent`
// is an agent.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { resolve } from "node:path";

const UPDATES = 50_000;
const ROUND_TRIPS = 10_000;

const [, self, root, who, role] = process.argv;
const chunk = (text) => ({
  sessionId: "s",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});
const read = { sessionId: "s", path: "/hello" };

/** What a side needs of each SDK: the same things, said as it wants them. */
const sdks = {
  async ours() {
    const acp = await import(resolve(root, "typescript/dist/index.js"));
    const { stdio, spawn } = await import(resolve(root, "typescript/dist/node.js"));
    return {
      serve(prompt) {
        const agent = {
          initialize: () => ({ protocolVersion: 1 }),
          newSession: () => ({ sessionId: "s" }),
          authenticate() {},
          cancel() {},
          prompt: ({ prompt: [{ text }] }, { client }) =>
            prompt(
              text,
              (it) => client.sessionUpdate(it),
              (it) => client.readTextFile(it),
            ),
        };
        new acp.AgentSideConnection(() => agent, stdio());
      },
      async talk(heard, op) {
        const client = {
          sessionUpdate: heard,
          requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
          readTextFile: () => ({ content: "hello" }),
        };
        const stream = spawn(process.execPath, [self, root, "ours", "agent"]);
        const connection = new acp.ClientSideConnection(() => client, stream);
        await op({
          initialize: (params) => connection.initialize(params),
          newSession: (params) => connection.newSession(params),
          prompt: (params) => connection.prompt(params),
        });
        await connection.close();
      },
    };
  },
  async official() {
    const acp = await import(resolve(root, "official/dist/v1/stable/acp.js"));
    const { agent, client, methods, ndJsonStream } = acp;
    return {
      serve(prompt) {
        agent({ name: "bench" })
          .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
          .onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))
          .onRequest(methods.agent.session.prompt, ({ params, client }) =>
            prompt(
              params.prompt[0].text,
              (it) => client.notify(methods.client.session.update, it),
              (it) => client.request(methods.client.fs.readTextFile, it),
            ),
          )
          .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
      },
      async talk(heard, op) {
        const child = spawn(process.execPath, [self, root, "official", "agent"], {
          stdio: ["pipe", "pipe", "inherit"],
        });
        const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
        await client({ name: "bench" })
          .onNotification(methods.client.session.update, heard)
          .onRequest(methods.client.fs.readTextFile, () => ({ content: "hello" }))
          .connectWith(stream, (context) =>
            op({
              initialize: (params) => context.request(methods.agent.initialize, params),
              newSession: (params) => context.request(methods.agent.session.new, params),
              prompt: (params) => context.request(methods.agent.session.prompt, params),
            }),
          );
        child.kill();
      },
    };
  },
};

async function prompt(text, update, call) {
  const [word, count] = text.split(" ");
  for (let left = Number(count); left > 0; left -= 1) {
    await (word === "updates" ? update(chunk("some text of it")) : call(read));
  }
  return { stopReason: "end_turn" };
}

/** Things a second. */
async function measure(sdk) {
  let updates = 0;
  const heard = () => {
    updates += 1;
  };
  const rates = {};
  await sdk.talk(heard, async (agent) => {
    const clientCapabilities = { fs: { readTextFile: true } };
    await agent.initialize({ protocolVersion: 1, clientCapabilities });
    await agent.newSession({ cwd: "/", mcpServers: [] });
    const timed = async (name, count) => {
      const text = `${name} ${count}`;
      const start = performance.now();
      await agent.prompt({ sessionId: "s", prompt: [{ type: "text", text }] });
      // An SDK that resolves a call before the updates before it are handled is not done yet.
      while (name === "updates" && updates < count) await new Promise(setImmediate);
      rates[name] = (count / (performance.now() - start)) * 1000;
      updates = 0;
    };
    await timed("updates", UPDATES / 10);
    await timed("reads", ROUND_TRIPS / 10);
    await timed("updates", UPDATES);
    await timed("reads", ROUND_TRIPS);
  });
  return rates;
}

if (role === "agent") {
  (await sdks[who]()).serve(prompt);
} else {
  const rounds = Number(who ?? 5);
  const best = { ours: {}, official: {} };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["ours", "official"]) {
      const rates = await measure(await sdks[name]());
      for (const [what, rate] of Object.entries(rates)) {
        best[name][what] = Math.max(best[name][what] ?? 0, rate);
      }
    }
  }
  for (const [what, label] of [
    ["updates", "updates/s"],
    ["reads", "round trips/s"],
  ]) {
    const [ours, official] = [best.ours[what], best.official[what]];
    const shown = [ours, official].map((rate) => Math.round(rate).toLocaleString("en"));
    console.log(
      `${label}: ours ${shown[0]}, official ${shown[1]}: ${(ours / official).toFixed(2)}×`,
    );
  }
}
