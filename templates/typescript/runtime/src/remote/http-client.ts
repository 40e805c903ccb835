// A client that speaks HTTP as well as WebSocket.

import type { Pipe } from "../connection.js";
import { RemoteClient, type RemoteOptions } from "./client.js";
import type { Dialog } from "./dialog.js";
import { HttpPipe } from "./http-pipe.js";
import { RefusedError } from "./refused.js";
import type { HttpRules } from "./rules.js";
import { LatePipe } from "./stream.js";

/** Choices about a client that speaks HTTP as well as WebSocket. */
export interface HttpOptions extends RemoteOptions {
  /**
   * What is spoken; `auto` means WebSocket, or HTTP where that is refused.
   *
   * @default "auto"
   */
  readonly transport?: "auto" | "http" | "websocket";
  /** What sends requests. */
  readonly fetch?: typeof fetch;
}

/** Connects to a server over WebSockets and over HTTP. */
export class HttpClient extends RemoteClient {
  readonly #http: HttpRules;
  readonly #transport: HttpOptions["transport"];
  readonly #fetch: typeof fetch;

  /** @internal */
  constructor(url: string | URL, rules: HttpRules, options: HttpOptions) {
    super(url, rules, options);
    this.#http = rules;
    this.#transport = options.transport;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  protected override open(dialog: Dialog): Pipe {
    if (this.#transport === "websocket") return super.open(dialog);
    if (this.#transport === "http") return this.#pipe(dialog);
    return new LatePipe(async (signal) => {
      try {
        return await this.socket(dialog, signal);
      } catch (error) {
        if (isFinal(error) || signal.aborted) throw error;
        return this.#pipe(dialog);
      }
    });
  }

  #pipe(dialog: Dialog): Pipe {
    const url = new URL(this.url);
    url.protocol = url.protocol.replace("ws", "http");
    const { limits, headers } = this;
    const rules = this.#http;
    const target = { url, rules, limits, headers, fetch: this.#fetch };
    return new HttpPipe(target, dialog);
  }
}

/** Whether HTTP would be refused, too. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof RefusedError &&
    (error.status === 401 || error.status === 403)
  );
}
