// A client in a page. `?transport=http` or `websocket` picks the transport.

import { ClientSideConnection, PROTOCOL_VERSION } from "acp";
import { remote } from "acp/remote";

const [talk, form, text, stop, state] = ["talk", "form", "text", "stop", "state"].map((id) =>
  document.getElementById(id),
);

/** Adds to the last line, or begins one. */
function show(who, words) {
  let line = talk.lastElementChild;
  if (line?.className !== who || who === "user") {
    line = document.createElement("li");
    line.className = who;
    talk.append(line);
  }
  line.textContent += words;
}

const client = {
  sessionUpdate({ update }) {
    if (update.sessionUpdate === "user_message_chunk") show("user", update.content.text);
    if (update.sessionUpdate === "agent_message_chunk") show("agent", update.content.text);
  },
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
};

const transport = new URLSearchParams(location.search).get("transport") ?? "auto";
const agent = new ClientSideConnection(() => client, remote(new URL("/acp", location), { transport }));
agent.closed.then(() => {
  state.textContent = "The connection is closed.";
});

/** The session of this page: the one it had before, if the agent still knows it. */
async function open() {
  await agent.initialize({ protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const known = sessionStorage.getItem("session");
  if (known !== null) {
    try {
      await agent.loadSession({ sessionId: known, cwd: "/", mcpServers: [] });
      return known;
    } catch {
      talk.replaceChildren();
    }
  }
  const { sessionId } = await agent.newSession({ cwd: "/", mcpServers: [] });
  sessionStorage.setItem("session", sessionId);
  return sessionId;
}

try {
  const sessionId = await open();
  state.textContent = "Connected.";
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = text.value;
    text.value = "";
    show("user", said);
    state.textContent = "Thinking…";
    const prompt = [{ type: "text", text: said }];
    const { stopReason } = await agent.prompt({ sessionId, prompt });
    state.textContent = stopReason === "cancelled" ? "Stopped." : "Done.";
  });
  stop.addEventListener("click", () => agent.cancel({ sessionId }));
} catch (error) {
  state.textContent = String(error);
}
