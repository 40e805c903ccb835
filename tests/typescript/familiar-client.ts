// A client as it is written for the official SDK. It compiles with that SDK, too; only the name in
// the import is another.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";

import * as acp from "sdk";

export class NoteClient implements acp.Client {
  async requestPermission(
    params: acp.RequestPermissionRequest,
  ): Promise<acp.RequestPermissionResponse> {
    params.options.forEach((option, index) => {
      console.log(`${index + 1}. ${option.name} (${option.kind})`);
    });
    const [first] = params.options;
    if (!first) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: first.optionId } };
  }

  async sessionUpdate(params: acp.SessionNotification): Promise<void> {
    const update = params.update;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.content.type === "text") console.log(update.content.text);
        else console.log(`[${update.content.type}]`);
        break;
      case "tool_call":
        console.log(`${update.title} (${update.status})`);
        break;
      case "tool_call_update":
        console.log(`${update.toolCallId} updated: ${update.status}`);
        break;
      case "plan":
        for (const entry of update.entries) console.log(entry.content);
        break;
      default:
        break;
    }
  }

  async readTextFile(params: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse> {
    return { content: params.path };
  }

  async writeTextFile(_params: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse> {
    return {};
  }

  async createTerminal(_params: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse> {
    return { terminalId: "t1" };
  }

  async terminalOutput(_params: acp.TerminalOutputRequest): Promise<acp.TerminalOutputResponse> {
    return { output: "", truncated: false };
  }

  async releaseTerminal(
    _params: acp.ReleaseTerminalRequest,
  ): Promise<acp.ReleaseTerminalResponse | void> {}

  async waitForTerminalExit(
    _params: acp.WaitForTerminalExitRequest,
  ): Promise<acp.WaitForTerminalExitResponse> {
    return { exitCode: 0 };
  }

  async killTerminal(_params: acp.KillTerminalRequest): Promise<acp.KillTerminalResponse | void> {}

  async extNotification(method: string, params: Record<string, unknown>): Promise<void> {
    console.log(method, params);
  }
}

export async function talk(command: string): Promise<void> {
  const agent = spawn(command, [], { stdio: ["pipe", "pipe", "inherit"] });
  const input = Writable.toWeb(agent.stdin);
  const output = Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>;
  const client = new NoteClient();
  const stream = acp.ndJsonStream(input, output);
  const connection = new acp.ClientSideConnection((_agent) => client, stream);
  try {
    const initialized = await connection.initialize({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
    });
    const [method] = initialized.authMethods ?? [];
    if (method) await connection.authenticate({ methodId: method.id });
    const session = await connection.newSession({ cwd: process.cwd(), mcpServers: [] });
    const result = await connection.prompt({
      sessionId: session.sessionId,
      prompt: [{ type: "text", text: "Hello, agent!" }],
    });
    console.log(result.stopReason);
    await connection.setSessionMode({ sessionId: session.sessionId, modeId: "ask" });
    await connection.cancel({ sessionId: session.sessionId });
    const counted = await connection.extMethod("_count", {});
    console.log(counted["count"]);
  } catch (error) {
    if (error instanceof acp.RequestError) console.error(error.code, error.data);
    else console.error(error);
  } finally {
    agent.kill();
  }
  await connection.closed;
}

// An object, whose parameters have their types without a word.
export const silent: acp.Client = {
  async sessionUpdate() {},
  requestPermission: async ({ options }) => ({
    outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
  }),
};

// A connection stands for the agent at its other end.
export const standIn = (stream: acp.Stream): acp.Agent =>
  new acp.ClientSideConnection((agent: acp.Agent) => (agent ? silent : silent), stream);
