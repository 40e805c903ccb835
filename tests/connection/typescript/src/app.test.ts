import assert from "node:assert/strict";
import { test } from "node:test";

import {
  type Agent,
  type AgentNotificationMap,
  type AgentRequestMap,
  AgentSideConnection,
  type Callable,
  ClientSideConnection,
  ContentBlock,
  type PromptResponse,
  RequestError,
  type SessionNotification,
  streamPair,
} from "acp";
import { agent, client, methods } from "acp/app";

import { done, prompt, quietAgent } from "./wire.js";

test("apps handle what they are made for", async () => {
  const [near, far] = streamPair();
  const updates: SessionNotification[] = [];
  const cancelled: string[] = [];
  agent({ agentInfo: { name: "echo", version: "1.0" } })
    .onRequest(methods.session.new, () => ({ sessionId: "s" }))
    .onRequest(
      methods.session.prompt,
      async ({ sessionId, prompt }, { client }): Promise<PromptResponse> => {
        for (const content of prompt) {
          const update = {
            sessionUpdate: "agent_message_chunk",
            content,
          } as const;
          await client.sessionUpdate({ sessionId, update });
        }
        return { stopReason: "end_turn" };
      },
    )
    .onNotification(methods.session.cancel, ({ sessionId }) => {
      cancelled.push(sessionId);
    })
    .onRequest("_twice", ({ x }) => ({ x: Number(x) * 2 }))
    .onRequest("_thrice", ({ x }) => ({ x: Number(x) * 3 }))
    .connect(far);
  const connection = client()
    .onNotification(methods.session.update, (update) => {
      updates.push(update);
    })
    .connect(near);
  assert.deepEqual(await connection.initialize({ protocolVersion: 1 }), {
    protocolVersion: 1,
    agentInfo: { name: "echo", version: "1.0" },
    agentCapabilities: (await connection.initialize({ protocolVersion: 1 }))
      .agentCapabilities,
    authMethods: [],
  });
  const session = await connection.newSession({ cwd: "/", mcpServers: [] });
  assert.equal(session.sessionId, "s");
  assert.deepEqual(await connection.prompt(prompt), done);
  assert.equal(updates.length, 1);
  await connection.cancel({ sessionId: "s" });
  assert.deepEqual(await connection.extMethod("_twice", { x: 2 }), { x: 4 });
  assert.deepEqual(await connection.extMethod("_thrice", { x: 2 }), { x: 6 });
  assert.deepEqual(cancelled, ["s"]);
  // What an app does not handle it has not.
  await assert.rejects(
    connection.authenticate({ methodId: "m" }),
    RequestError.methodNotFound("authenticate"),
  );
  await assert.rejects(
    connection.extMethod("_other", {}),
    RequestError.methodNotFound("_other"),
  );
  await connection.close();
});

test("names and parameters are checked", () => {
  const app = agent();
  // @ts-expect-error -- it is the client's
  assert.throws(() => app.onRequest(methods.session.update, () => ({})), {
    message:
      /^"session\/update" is no request that this side handles: it handles initialize, /,
  });
  // @ts-expect-error -- it is a notification
  assert.throws(() => app.onRequest(methods.session.cancel, () => ({})), {
    message: '"session/cancel" is a notification: use onNotification',
  });
  // @ts-expect-error -- it is a request
  assert.throws(() => app.onNotification(methods.session.new, () => {}), {
    message: '"session/new" is a request: use onRequest',
  });
  const other = agent();
  // @ts-expect-error -- it has another result
  other.onRequest(methods.session.new, () => ({ id: "s" }));
  // @ts-expect-error -- there is no such parameter
  other.onRequest(methods.session.prompt, ({ text }) => text as PromptResponse);
  assert.equal(methods.fs.readTextFile, "fs/read_text_file");
});

test("a handler is one function", () => {
  const app = agent();
  const parse = (params: unknown): unknown => params;
  // @ts-expect-error -- there is no parameter for what parses
  assert.throws(() => app.onRequest("_x", parse, () => ({})), {
    name: "TypeError",
    message:
      '"_x" takes a handler and nothing more: what parses params is called by it',
  });
  // @ts-expect-error -- it is an object with a function
  assert.throws(() => app.onNotification("_x", { parse }), {
    name: "TypeError",
    message: 'the handler of "_x" is no function',
  });
  // @ts-expect-error -- there is none
  assert.throws(() => app.onRequest(methods.session.prompt), {
    message: 'the handler of "session/prompt" is no function',
  });
  // None of these was taken.
  app.onRequest("_x", () => ({})).onNotification("_x", () => {});
});

test("a method has one handler", async () => {
  const [near, far] = streamPair();
  const answer = (): PromptResponse => ({ stopReason: "end_turn" });
  const app = agent()
    .onRequest(methods.session.prompt, answer)
    .onRequest("_x", () => ({ first: true }))
    .onNotification("_x", () => {})
    .onNotification(methods.session.cancel, () => {})
    // What an app answers by itself may be answered in another way, once.
    .onRequest(methods.initialize, (_, { protocolVersion }) => ({
      protocolVersion,
      agentInfo: { name: "mine", version: "1" },
    }));
  const again = (method: string) => ({
    name: "TypeError",
    message: `"${method}" has a handler already`,
  });
  assert.throws(
    () => app.onRequest(methods.session.prompt, answer),
    again("session/prompt"),
  );
  assert.throws(() => app.onRequest("_x", () => ({})), again("_x"));
  assert.throws(() => app.onNotification("_x", () => {}), again("_x"));
  assert.throws(
    () => app.onNotification(methods.session.cancel, () => {}),
    again("session/cancel"),
  );
  assert.throws(
    () => app.onRequest(methods.initialize, () => ({ protocolVersion: 1 })),
    again("initialize"),
  );
  app.connect(far);
  const connection = client().connect(near);
  const { agentInfo } = await connection.initialize({ protocolVersion: 1 });
  assert.equal(agentInfo?.name, "mine");
  assert.deepEqual(await connection.prompt(prompt), done);
  assert.deepEqual(await connection.extMethod("_x", {}), { first: true });
  await connection.close();
});

test("an app is a handler for what else makes connections", async () => {
  const [near, far] = streamPair();
  const app = agent().onRequest(methods.session.prompt, () => ({
    stopReason: "end_turn",
  }));
  new AgentSideConnection(() => app.handler, far);
  const connection = client().connect(near);
  assert.deepEqual(await connection.prompt(prompt), done);
  await connection.close();
});

test("types go by names on the wire", () => {
  type Entry = AgentRequestMap["session/prompt"];
  const handler: Entry["handler"] = quietAgent.prompt.bind(quietAgent);
  const params: Entry["params"] = prompt;
  const result: Entry["result"] = { stopReason: "end_turn" };
  const notified: AgentNotificationMap["session/cancel"]["params"] = {
    sessionId: "s",
  };
  assert.ok([handler, params, result, notified].every(Boolean));
});

test("a peer can be called by its handler interface", async () => {
  const [near, far] = streamPair();
  const ask = async (peer: Callable<Agent>) => peer.prompt(prompt);
  new AgentSideConnection(() => quietAgent, far);
  const quiet = {
    sessionUpdate() {},
    requestPermission: () => ({ outcome: { outcome: "cancelled" as const } }),
  };
  const connection = new ClientSideConnection(() => quiet, near);
  assert.deepEqual(await ask(connection), done);
  const handler: Callable<Agent> = {
    ...connection,
    ...{ prompt: (given: unknown) => (given === prompt ? done : undefined) },
  } as unknown as Callable<Agent>;
  assert.deepEqual(await ask(handler), done);
  await connection.close();
});

test("variants have a guard", () => {
  const blocks: ContentBlock[] = [
    ContentBlock.text("a"),
    ContentBlock.image("b", "image/png"),
  ];
  const texts = blocks.flatMap((block) =>
    ContentBlock.is(block, "text") ? [block.text] : [],
  );
  assert.deepEqual(texts, ["a"]);
});
