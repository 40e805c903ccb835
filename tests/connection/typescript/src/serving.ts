// Servers and clients of the tests of remote connections.

import { type Agent, type Client, ClientSideConnection } from "acp";
import * as portable from "acp/remote";
import { AgentServer, type Opening, type ServerOptions } from "acp/remote/node";

export const hello = { protocolVersion: 1 };
export const folder = { cwd: "/", mcpServers: [] };
export const session = { sessionId: "s" };
export const text = (text: string) => ({ type: "text" as const, text });
export const prompt = { ...session, prompt: [text("hi")] };
export const chunk = (number: number | string) => ({
  ...session,
  update: {
    sessionUpdate: "agent_message_chunk" as const,
    content: text(String(number)),
  },
});

/** An agent that can load sessions. */
export function serve(
  handler: Partial<Agent> = {},
  options: ServerOptions = {},
  opened: (opening: Opening) => void = () => {},
) {
  const agent: Agent = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { close: {} },
      },
    }),
    authenticate() {},
    newSession: () => session,
    loadSession() {},
    closeSession() {},
    prompt: () => ({ stopReason: "end_turn" }),
    cancel() {},
    ...handler,
  };
  return new AgentServer((_, opening) => {
    opened(opening);
    return agent;
  }, options);
}

/** What calls a server without any socket between. */
export function calling(server: () => portable.AgentServer): typeof fetch {
  return (input, init) => server().fetch(new Request(input, init));
}

/** Where the servers are said to be. */
export const URL_OF = "http://localhost/acp";

/** A client over a stream. */
export function client(
  stream: portable.RemoteStream,
  handler: Partial<Client> = {},
) {
  const whole: Client = {
    requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
    sessionUpdate() {},
    ...handler,
  };
  return new ClientSideConnection(() => whole, stream);
}

/** A client of a server over HTTP. */
export function overHttp(
  server: portable.AgentServer,
  handler: Partial<Client> = {},
  headers: Record<string, string> = {},
) {
  const fetch = calling(() => server);
  const transport = "http";
  return client(
    portable.remote(URL_OF, { transport, fetch, headers }),
    handler,
  );
}

/** Sends a message over HTTP by hand. */
export function post(
  server: portable.AgentServer,
  message: unknown,
  headers: Record<string, string> = {},
) {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const type = { "content-type": "application/json" };
  const init = { method: "POST", headers: { ...type, ...headers }, body };
  return server.fetch(new Request(URL_OF, init));
}

/** The request that opens a connection. */
export const opening = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: hello,
};
