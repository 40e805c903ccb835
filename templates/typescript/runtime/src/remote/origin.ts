// Pages of which sites may speak with a server.

import type { IncomingRequest } from "./access.js";
import type { Wrong } from "./answers.js";
import type { Hosts } from "./hosts.js";
import type { RemoteRules } from "./rules.js";

/**
 * Pages of which sites may speak with a server: those of its own, and those
 * that are named.
 */
export class Origins {
  readonly #hosts: Hosts;
  readonly #allowed: ReadonlySet<string>;
  /** The headers that pages of other sites may send. */
  readonly #headers: readonly string[];
  /** The headers that they may read. */
  readonly #exposed: readonly string[];

  constructor(
    hosts: Hosts,
    allowed: readonly string[],
    { connection, session, version }: RemoteRules,
  ) {
    this.#hosts = hosts;
    this.#allowed = new Set(allowed);
    const own = [connection, session?.header, version?.header];
    const headers = own.filter((header) => header !== undefined);
    this.#headers = headers.map((header) => header.toLowerCase());
    this.#exposed = connection === undefined ? [] : [connection];
  }

  /** What is wrong with a request that may not be answered. */
  refusal(request: IncomingRequest): Wrong | undefined {
    const refused = this.#hosts.refusal(request);
    if (refused !== undefined) return refused;
    const origin = request.headers.get("origin");
    if (origin === null) return undefined;
    if (origin.includes(",")) {
      const message = "the header `Origin` is there more than once";
      return { status: 400, message };
    }
    // What `Host` says counts only where it was looked at.
    const isOwn = !this.#hosts.areAll && isFromHost(origin, request);
    if (isOwn || this.#isForeign(origin)) return undefined;
    const message = "the origin is not allowed (header `Origin`)";
    return { status: 403, message };
  }

  /** Whether a request asks what pages of another site may do. */
  isPreflight({ method, headers }: IncomingRequest): boolean {
    return (
      method === "OPTIONS" &&
      headers.has("origin") &&
      headers.has("access-control-request-method")
    );
  }

  /** What pages of another site may do. */
  preflight(request: IncomingRequest, methods: readonly string[]): Response {
    const asked = request.headers.get("access-control-request-headers");
    const headers = ["content-type", "accept", ...this.#headers];
    for (const header of asked?.split(",") ?? []) {
      const name = header.trim().toLowerCase();
      if (/^[a-z0-9-]+$/.test(name) && !headers.includes(name)) {
        headers.push(name);
      }
    }
    const response = new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": headers.join(", "),
        "access-control-max-age": "600",
      },
    });
    this.share(request, response);
    return response;
  }

  /** Lets pages of other sites that are allowed read an answer. */
  share(request: IncomingRequest, { headers }: Response): void {
    const origin = request.headers.get("origin");
    if (this.#allowed.size > 0) headers.append("vary", "origin");
    if (origin === null || !this.#isForeign(origin)) return;
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-credentials", "true");
    if (this.#exposed.length === 0) return;
    headers.set("access-control-expose-headers", this.#exposed.join(", "));
  }

  #isForeign(origin: string): boolean {
    return this.#allowed.has(origin) || this.#allowed.has("*");
  }
}

/** Whether a request comes from a page of the host that it is for. */
function isFromHost(origin: string, request: IncomingRequest): boolean {
  try {
    const { protocol, host } = new URL(origin);
    const asked = request.headers.get("host") ?? new URL(request.url).host;
    // A port that goes without saying may be said.
    return new URL(`${protocol}//${asked}`).host === host;
  } catch {
    return false;
  }
}
