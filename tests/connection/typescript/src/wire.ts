// The other end of a connection, line by line.

import {
  type Agent,
  AgentSideConnection,
  type Client,
  ClientSideConnection,
  ConnectionError,
  type ConnectionOptions,
  ndJsonStream,
} from "acp";

export type Json = Record<string, unknown>;

/** What reads and writes lines where the peer would be. */
export class Wire {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #text = "";

  constructor(
    readable: ReadableStream<Uint8Array>,
    writable: WritableStream<Uint8Array>,
  ) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
  }

  /** The next line, or `undefined` at the end. */
  async receive(): Promise<Json | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line) as Json;
      }
      const { value } = await this.#reader.read();
      if (value === undefined) return undefined;
      this.#text += new TextDecoder().decode(value);
    }
  }

  /** Sends a text and a line end. Resolves when it was read. */
  raw(text: string): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(`${text}\n`));
  }

  send(...messages: Json[]): Promise<void> {
    const lines = messages.map((message) =>
      JSON.stringify({ jsonrpc: "2.0", ...message }),
    );
    return this.raw(lines.join("\n"));
  }

  end(): Promise<void> {
    return this.#writer.close();
  }
}

function pair() {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  return {
    wire: new Wire(there.readable, back.writable),
    stream: ndJsonStream(there.writable, back.readable),
  };
}

/** A client that does nothing. */
export const quietClient: Client = {
  requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
  sessionUpdate() {},
};

/** An agent that does nothing. */
export const quietAgent: Agent = {
  initialize: () => ({ protocolVersion: 1 }),
  authenticate() {},
  newSession: () => ({ sessionId: "s" }),
  prompt: () => ({ stopReason: "end_turn" }),
  cancel() {},
};

/** A client, and what its agent would read and write. */
export function client(handler: Partial<Client>, options?: ConnectionOptions) {
  const { wire, stream } = pair();
  const whole: Client = { ...quietClient, ...handler };
  return {
    wire,
    connection: new ClientSideConnection(() => whole, stream, options),
  };
}

/** An agent, and what its client would read and write. */
export function agent(handler: Partial<Agent>, options?: ConnectionOptions) {
  const { wire, stream } = pair();
  const whole: Agent = { ...quietAgent, ...handler };
  return {
    wire,
    connection: new AgentSideConnection(() => whole, stream, options),
  };
}

export const update = (text: string): Json => ({
  method: "session/update",
  params: {
    sessionId: "s",
    update: {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    },
  },
});

export const prompt = {
  sessionId: "s",
  prompt: [{ type: "text" as const, text: "hi" }],
};

export const done = { stopReason: "end_turn" };

/** Tells whether a call failed for this reason. */
export const isKind = (kind: string) => (error: unknown) =>
  error instanceof ConnectionError && error.kind === kind;

/** Lets everything that can happen happen. */
export const settled = () =>
  new Promise<void>((resolve) => setTimeout(resolve, 5));

/** What is fulfilled from outside. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
