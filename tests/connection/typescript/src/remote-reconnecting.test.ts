// Connecting again after a connection was lost.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Agent, ClientSideConnection } from "acp";
import * as portable from "acp/remote";
import { reconnecting, Refusal, type RemoteState } from "acp/remote/node";

import {
  calling,
  client,
  folder,
  hello,
  prompt,
  serve,
  URL_OF,
} from "./serving.js";
import { done, isKind, settled } from "./wire.js";

/** A server that can be replaced, and a network that can be cut. */
function replaceable(handler: Partial<Agent>) {
  const cuts: (() => void)[] = [];
  const current = {
    server: serve(handler),
    cut() {
      for (const cut of cuts.splice(0)) cut();
    },
  };
  const call = calling(() => current.server);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await call(input, init);
    if (init?.method !== "GET" || response.body === null) return response;
    const wire = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        cuts.push(() => {
          controller.error(new Error("cut"));
        });
      },
    });
    return new Response(response.body.pipeThrough(wire));
  };
  const agents = new portable.Remote(URL_OF, { transport: "http", fetch });
  return Object.assign(current, { agents });
}

test("after a loss it is connected again, and nothing sent twice", async () => {
  let prompts = 0;
  const it = replaceable({
    prompt() {
      prompts += 1;
      return prompts > 1 ? { stopReason: "end_turn" } : new Promise(() => {});
    },
  });
  const seen: RemoteState[] = [];
  const ends: unknown[] = [];
  const setUp = async (
    connection: ClientSideConnection,
    before: RemoteState,
  ) => {
    seen.push(before);
    await connection.initialize(hello);
    if (seen.length === 1) {
      await connection.newSession(folder);
      const turn = connection.prompt(prompt);
      turn.catch(() => {});
      await settled();
      it.cut();
      await turn.catch((error: unknown) => ends.push(error));
      return;
    }
    for (const sessionId of before.sessions) {
      await connection.loadSession({ ...folder, sessionId });
    }
    ends.push(await connection.prompt(prompt));
    void connection.close();
  };
  await reconnecting(it.agents, client, setUp, { delay: 1 });
  assert.deepEqual(seen, [
    { sessions: [], lost: [] },
    { sessions: ["s"], lost: ["session/prompt"] },
  ]);
  const [first, second] = ends;
  assert.ok(isKind("lost")(first));
  assert.match(String(first), /cut/);
  assert.deepEqual(second, done);
  assert.equal(prompts, 2);
  await it.server.close();
});

test("a loss while it is set up again makes nothing forgotten", async () => {
  let sessions = 0;
  const it = replaceable({
    authenticate: () => new Promise<never>(() => {}),
    newSession() {
      sessions += 1;
      return { sessionId: `s${String(sessions)}` };
    },
    prompt: () => new Promise<never>(() => {}),
  });
  const seen: RemoteState[] = [];
  const setUp = async (
    connection: ClientSideConnection,
    before: RemoteState,
  ) => {
    seen.push(before);
    await connection.initialize(hello);
    switch (seen.length) {
      case 1:
        await connection.newSession(folder);
        await connection.newSession(folder);
        await connection.closeSession({ sessionId: "s1" });
        connection.prompt({ ...prompt, sessionId: "s2" }).catch(() => {});
        await settled();
        it.cut();
        break;
      case 2:
        it.cut();
        await connection.authenticate({ methodId: "any" });
        break;
      case 3:
        await connection.loadSession({ ...folder, sessionId: "s2" });
        void connection.closeSession({ sessionId: "s2" }).then(() => {
          it.cut();
        });
        break;
      default:
        void connection.close();
    }
  };
  await reconnecting(it.agents, client, setUp, { delay: 1 });
  assert.deepEqual(seen, [
    { sessions: [], lost: [] },
    { sessions: ["s2"], lost: ["session/prompt"] },
    { sessions: ["s2"], lost: ["session/prompt", "authenticate"] },
    { sessions: [], lost: [] },
  ]);
  await it.server.close();
});

test("connecting again is given up after so many tries", async () => {
  const fetch = () => Promise.reject(new TypeError("no network"));
  const agents = new portable.Remote(URL_OF, { transport: "http", fetch });
  let tries = 0;
  const setUp = async (connection: ClientSideConnection) => {
    tries += 1;
    await connection.initialize(hello);
  };
  const options = { tries: 2, delay: 1 };
  const given = reconnecting(agents, client, setUp, options);
  await assert.rejects(given, /no network/);
  assert.equal(tries, 3);
});

test("tries are counted anew after a success", async () => {
  const it = replaceable({});
  let times = 0;
  const setUp = async (connection: ClientSideConnection) => {
    times += 1;
    await connection.initialize(hello);
    if (times < 5) it.cut();
    else void connection.close();
  };
  await reconnecting(it.agents, client, setUp, { tries: 1, delay: 1 });
  assert.equal(times, 5);
  await it.server.close();
});

test("each try is waited for longer than the one before", async () => {
  const fetch = () => Promise.reject(new TypeError("no network"));
  const agents = new portable.Remote(URL_OF, { transport: "http", fetch });
  const times: number[] = [];
  const setUp = async (connection: ClientSideConnection) => {
    times.push(performance.now());
    await connection.initialize(hello);
  };
  const options = { tries: 3, delay: 40 };
  await assert.rejects(reconnecting(agents, client, setUp, options));
  const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  // Of each, at least a half. Timers may be a little early.
  for (const [at, least] of [20, 40, 80].entries()) {
    assert.ok((waits[at] ?? 0) > least - 2, String(waits));
  }
});

test("what is no loss is not tried again", async () => {
  const it = replaceable({});
  let tries = 0;
  const setUp = async (connection: ClientSideConnection) => {
    tries += 1;
    await connection.initialize(hello);
    throw new Error("mine");
  };
  await assert.rejects(reconnecting(it.agents, client, setUp), /mine/);
  assert.equal(tries, 1);
  it.server = serve({}, { authenticate: () => new Refusal(403, "no") });
  await assert.rejects(
    reconnecting(it.agents, client, setUp),
    isKind("refused"),
  );
  assert.equal(tries, 2);
});

test("only a refusal that passes is tried again", async () => {
  const times = [
    [403, 1],
    [404, 1],
    [409, 1],
    [500, 1],
    [429, 2],
    [503, 2],
    [504, 2],
  ] as const;
  for (const [status, expected] of times) {
    let asked = 0;
    const fetch = () => {
      asked += 1;
      return Promise.resolve(new Response("", { status }));
    };
    const agents = new portable.Remote(URL_OF, { transport: "http", fetch });
    const setUp = async (connection: ClientSideConnection) => {
      await connection.initialize(hello);
    };
    const options = { tries: 1, delay: 1 };
    const given = reconnecting(agents, client, setUp, options);
    await assert.rejects(given, isKind("refused"));
    assert.equal(asked, expected, String(status));
  }
});

test("connecting again ends when its signal fires", async () => {
  const it = replaceable({});
  const abort = new AbortController();
  const setUp = async (connection: ClientSideConnection) => {
    await connection.initialize(hello);
    abort.abort();
  };
  await reconnecting(it.agents, client, setUp, { signal: abort.signal });
  await settled();
  assert.equal(it.server.connections, 0);
});
