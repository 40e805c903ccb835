// A client and an agent in one page, over a pair of streams. What came of it is the page's text.

import { AgentSideConnection, ClientSideConnection, ndJsonStream, RequestError } from "acp";

/** Bytes that go in at one end come out at the other, in pieces of any size. */
function pipe() {
  return new TransformStream({
    transform(bytes, controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
    },
  });
}

const agent = {
  initialize: ({ protocolVersion }) => ({ protocolVersion }),
  authenticate() {
    throw RequestError.invalidParams({ why: "no such method" });
  },
  newSession: () => ({ sessionId: "s1" }),
  async prompt({ sessionId, prompt }, { client, signal }) {
    for (const content of prompt) {
      await client.sessionUpdate({
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    if (prompt.length > 0) return { stopReason: "end_turn" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    cancelled = true;
    return { stopReason: "cancelled" };
  },
  cancel() {},
};
let cancelled = false;

const seen = [];
const client = {
  async sessionUpdate({ update }) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(update.content.text);
  },
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
};

async function talk() {
  const [there, back] = [pipe(), pipe()];
  new AgentSideConnection(() => agent, ndJsonStream(back.writable, there.readable));
  const peer = new ClientSideConnection(() => client, ndJsonStream(there.writable, back.readable));
  const { protocolVersion } = await peer.initialize({ protocolVersion: 1 });
  const refused = await peer.authenticate({ methodId: "x" }).catch((error) => error.code);
  const { sessionId } = await peer.newSession({ cwd: "/", mcpServers: [] });
  const prompt = ["é", "✓", "three"].map((text) => ({ type: "text", text }));
  const { stopReason } = await peer.prompt({ sessionId, prompt });
  const handled = [...seen];
  const controller = new AbortController();
  const given = peer.prompt({ sessionId, prompt: [] }, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 5);
  const abandoned = await given.catch((error) => error.message);
  await peer.close();
  return { protocolVersion, refused, sessionId, stopReason, handled, abandoned, cancelled };
}

talk()
  .catch((error) => ({ failed: String(error) }))
  .then((result) => {
    document.body.textContent = JSON.stringify(result);
  });
