// A client in a page. `?transport=http` or `websocket` picks the transport.

import { ClientSideConnection, PROTOCOL_VERSION } from "acp";
import { reconnecting, Remote } from "acp/remote";

const [talk, form, text, stop, state] = ["talk", "form", "text", "stop", "state"].map((id) =>
  document.getElementById(id),
);

/** The connection and the session, once there are some. */
let agent, sessionId;

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

/** The session that this page had before, if the agent still knows it, or a new one. */
async function open(connection) {
  const known = sessionStorage.getItem("session");
  // What is loaded is told from its beginning.
  talk.replaceChildren();
  if (known !== null) {
    try {
      await connection.loadSession({ sessionId: known, cwd: "/", mcpServers: [] });
      return known;
    } catch (error) {
      if (connection.signal.aborted) throw error;
      talk.replaceChildren();
    }
  }
  const { sessionId } = await connection.newSession({ cwd: "/", mcpServers: [] });
  sessionStorage.setItem("session", sessionId);
  return sessionId;
}

/** Makes a connection ready, the first one and each after a loss. */
async function setUp(connection, { lost }) {
  connection.signal.addEventListener("abort", () => {
    state.textContent = "The connection is lost.";
  });
  await connection.initialize({ protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  sessionId = await open(connection);
  agent = connection;
  const calls = lost.length === 0 ? "" : ` Lost: ${lost.join(", ")}.`;
  state.textContent = `Connected.${calls}`;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (agent === undefined || agent.signal.aborted) return;
  const said = text.value;
  text.value = "";
  show("user", said);
  state.textContent = "Thinking…";
  try {
    const { stopReason } = await agent.prompt({ sessionId, prompt: [{ type: "text", text: said }] });
    state.textContent = stopReason === "cancelled" ? "Stopped." : "Done.";
  } catch (error) {
    state.textContent = String(error);
  }
});
stop.addEventListener("click", () => agent?.cancel({ sessionId }));

const transport = new URLSearchParams(location.search).get("transport") ?? "auto";
const server = new Remote(new URL("/acp", location), { transport });
reconnecting(server, (stream) => new ClientSideConnection(() => client, stream), setUp).then(
  () => (state.textContent = "The connection is closed."),
  (error) => (state.textContent = String(error)),
);
