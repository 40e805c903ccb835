// A conversation over the network, with nothing but what all platforms have.

import { ClientSideConnection } from "acp";
import { remote } from "acp/remote";

/** Talks over both transports. Gives what came of each. */
export async function talks(url) {
  const outcomes = {};
  for (const transport of ["http", "websocket"]) {
    outcomes[transport] = await talk(url, transport);
  }
  return outcomes;
}

async function talk(url, transport) {
  let updates = 0;
  const client = {
    sessionUpdate() {
      updates += 1;
    },
    requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
    readTextFile: () => ({ content: "hello" }),
  };
  const agent = new ClientSideConnection(
    () => client,
    remote(url, { transport }),
  );
  await agent.initialize({
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true } },
  });
  const { sessionId } = await agent.newSession({ cwd: "/", mcpServers: [] });
  const reasons = [];
  for (const text of ["updates 3 20", "fs 2"]) {
    const prompt = [{ type: "text", text }];
    reasons.push((await agent.prompt({ sessionId, prompt })).stopReason);
  }
  await agent.close();
  return { updates, reasons };
}
