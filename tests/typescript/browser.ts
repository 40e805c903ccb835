// A client and an agent in one page, over a pair of streams. What came of it is the page's text.

import {
  type Agent,
  AgentSideConnection,
  type Client,
  ClientSideConnection,
  ndJsonStream,
  RequestError,
} from "acp-v1";

const agent: Agent = {
  initialize: ({ protocolVersion }) => ({ protocolVersion }),
  authenticate() {},
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt({ sessionId, prompt }, { client, signal }) {
    for (const content of prompt) {
      await client.sessionUpdate({
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    if (prompt.length > 0) return { stopReason: "end_turn" };
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve);
    });
    return { stopReason: "cancelled" };
  },
  cancel() {},
  extMethod(method) {
    throw RequestError.methodNotFound(method);
  },
};

const heard: string[] = [];
const client: Client = {
  sessionUpdate({ update }) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      heard.push(update.content.text);
    }
  },
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
};

async function talk(): Promise<unknown> {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  const served = new AgentSideConnection(
    () => agent,
    ndJsonStream(back.writable, there.readable),
  );
  const connection = new ClientSideConnection(
    () => client,
    ndJsonStream(there.writable, back.readable),
  );
  const { protocolVersion } = await connection.initialize({ protocolVersion: 1 });
  const { sessionId } = await connection.newSession({ cwd: "/", mcpServers: [] });
  const prompt = ["größer", "als", "\u{1f600}"].map((text) => ({ type: "text" as const, text }));
  const { stopReason } = await connection.prompt({ sessionId, prompt });
  const refused = await connection.extMethod("_x", {}).catch((error: unknown) => error);
  const controller = new AbortController();
  const call = connection.prompt({ sessionId, prompt: [] }, { signal: controller.signal });
  const cancelled = call.catch((error: unknown) => (error as Error).name);
  controller.abort();
  const outcome = { protocolVersion, stopReason, heard, refused, cancelled: await cancelled };
  await connection.close();
  await served.closed;
  return outcome;
}

talk().then(
  (outcome) => {
    document.body.textContent = JSON.stringify(outcome);
  },
  (error: unknown) => {
    document.body.textContent = String(error);
  },
);
