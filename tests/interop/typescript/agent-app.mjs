// What an agent built with the official TypeScript SDK does.

/** Makes the agent of a connection. The SDK is what its main module exports. */
export function makeAgent({ agent, methods, RequestError }) {
  const running = new Map();

  const says = (client, text) =>
    client.notify(methods.client.session.update, {
      sessionId: "s1",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });

  async function read(client) {
    const params = { sessionId: "s1", path: "/hello" };
    const { content } = await client.request(methods.client.fs.readTextFile, params);
    if (content !== "hello") throw new Error(`the file says ${content}`);
  }

  async function askPermission(client) {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId: "s1",
      toolCall: { toolCallId: "call", title: "Something" },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    await says(client, JSON.stringify(outcome));
  }

  const cancelled = (sessionId) => new Promise((resolve) => running.set(sessionId, resolve));

  async function prompt({ params, client }) {
    const [word, count = "0", length = "1"] = params.prompt[0].text.split(" ");
    switch (word) {
      case "updates":
        for (let index = 0; index < Number(count); index += 1) {
          await says(client, "x".repeat(Number(length)));
        }
        break;
      case "fs":
        for (let index = 0; index < Number(count); index += 1) await read(client);
        break;
      case "perm":
        await askPermission(client);
        break;
      case "throwcode":
        throw new RequestError(-32042, "custom", { x: 1 });
      case "slow":
        await cancelled(params.sessionId);
        return { stopReason: "cancelled" };
    }
    return { stopReason: "end_turn" };
  }

  return agent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      authMethods: [{ id: "none", name: "None" }],
    }))
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, prompt)
    .onNotification(methods.agent.session.cancel, ({ params }) =>
      running.get(params.sessionId)?.(),
    );
}
