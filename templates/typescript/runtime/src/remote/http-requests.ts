// The requests of a client's connection over HTTP.

import type { Envelope } from "./envelope.js";
import type { RemoteLimits } from "./limits.js";
import type { HttpRules } from "./rules.js";

/** Where a connection over HTTP leads, and what all of its requests have. */
export interface HttpTarget {
  readonly url: URL;
  readonly rules: HttpRules;
  readonly limits: RemoteLimits;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** The requests of a connection: they name it once it is open. */
export class HttpRequests {
  readonly #target: HttpTarget;
  /** What all requests have once the connection is open. */
  readonly #headers: Record<string, string> = {};

  constructor(target: HttpTarget) {
    this.#target = target;
  }

  /** The id of the connection, once it is open. */
  get connection(): string | undefined {
    return this.#headers[this.#target.rules.connection];
  }

  /** Takes note of the connection that an answer opens. Tells whether it does. */
  takeConnection({ headers }: Response): boolean {
    const { connection } = this.#target.rules;
    const id = headers.get(connection);
    if (id !== null) this.#headers[connection] = id;
    return id !== null;
  }

  /** Takes note of the protocol's version that the answer to the opening names. */
  takeVersion(opening: Envelope | undefined): void {
    const { version } = this.#target.rules;
    if (version === undefined || opening?.kind !== "response") return;
    const result = opening.result as Readonly<Record<string, unknown>> | null;
    const { property, value } = version;
    const told = property === undefined ? undefined : result?.[property];
    const spoken = told ?? value;
    if (typeof spoken === "string" || typeof spoken === "number") {
      this.#headers[version.header] = String(spoken);
    }
  }

  /** Sends a message. */
  post(
    line: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const kinds = {
      "content-type": "application/json",
      accept: "application/json",
    };
    return this.#fetch("POST", { ...headers, ...kinds }, signal, line);
  }

  /** Asks for the stream of a session, or of the connection. */
  get(session: string | undefined, signal: AbortSignal): Promise<Response> {
    const header = this.#target.rules.session?.header;
    const named =
      session === undefined || header === undefined
        ? {}
        : { [header]: session };
    return this.#fetch(
      "GET",
      { ...named, accept: "text/event-stream" },
      signal,
    );
  }

  /** Says that the connection is over. */
  delete(signal: AbortSignal): Promise<Response> {
    return this.#fetch("DELETE", {}, signal);
  }

  #fetch(
    method: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string,
  ): Promise<Response> {
    const { url, headers: own, fetch } = this.#target;
    return fetch(url, {
      method,
      headers: { ...own, ...this.#headers, ...headers },
      redirect: "manual",
      signal,
      ...("location" in globalThis && { credentials: "include" }),
      ...(body !== undefined && { body }),
    });
  }
}
