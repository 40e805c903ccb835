// What a client built with the official TypeScript SDK does.

/**
 * Talks with an agent: PROMPTS is a JSON list of texts. Prints a JSON line a step, but for
 * ROUND_TRIPS: the number of prompts before the others. The SDK is what its main module exports.
 */
export async function converse({ client, methods }, stream) {
  let updates = 0;
  let said = "";

  async function step(name, call) {
    updates = 0;
    said = "";
    let outcome;
    try {
      outcome = { result: await call() };
    } catch ({ code, message, data }) {
      outcome = { error: { code, message, data } };
    }
    console.log(JSON.stringify({ step: name, ...outcome, updates, said }));
  }

  await client({ name: "official" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates += 1;
      said = params.update.content?.text ?? "";
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => ({
      outcome: { outcome: "selected", optionId: params.options[0].optionId },
    }))
    .onRequest(methods.client.fs.readTextFile, () => ({ content: "hello" }))
    .connectWith(stream, async (context) => {
      const call = (method, params) => step(method, () => context.request(method, params));
      await call(methods.agent.initialize, {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: true } },
      });
      await call(methods.agent.authenticate, { methodId: "none" });
      await call(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
      for (let left = Number(process.env.ROUND_TRIPS ?? 0); left > 0; left -= 1) {
        const prompt = [{ type: "text", text: "updates 0" }];
        await context.request(methods.agent.session.prompt, { sessionId: "s1", prompt });
      }
      for (const text of JSON.parse(process.env.PROMPTS)) {
        const answered = call(methods.agent.session.prompt, {
          sessionId: "s1",
          prompt: [{ type: "text", text }],
        });
        if (text === "slow")
          await context.notify(methods.agent.session.cancel, { sessionId: "s1" });
        await answered;
      }
    });
}
