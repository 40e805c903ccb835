// Which hosts a server is.

import type { IncomingRequest } from "./access.js";
import type { Wrong } from "./answers.js";

/** A host that a header names: a name or an address, and a port if one is said. */
interface Host {
  readonly name: string;
  readonly port: number | undefined;
}

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:@/?#[\],]+)(?::(\d{1,5}))?$/;

/** Any host. */
const ALL = "*";

/** The ports that go without saying. */
const USUAL = [80, 443];

/**
 * The hosts that a server takes requests for.
 *
 * A page elsewhere can give its own name the address of this machine. Its
 * requests then come from within, but still name the page's host.
 */
export class Hosts {
  /** Whether it takes those for any host. */
  readonly areAll: boolean;
  readonly #allowed: readonly Host[] | undefined;

  /** Allows these hosts; without any, the names of this machine. */
  constructor(allowed: readonly string[] | undefined) {
    this.areAll = allowed?.includes(ALL) ?? false;
    this.#allowed = this.areAll ? undefined : allowed?.map(allowedHost);
  }

  /** What is wrong with a request that is not for this server. */
  refusal(request: IncomingRequest): Wrong | undefined {
    if (this.areAll) return undefined;
    const named = request.headers.get("host") ?? new URL(request.url).host;
    if (named.includes(",")) {
      const message = "the header `Host` is there more than once";
      return { status: 400, message };
    }
    const host = hostOf(named);
    if (host !== undefined && this.#has(host)) return undefined;
    const message =
      "this server is none of the host that the header `Host` names; " +
      "whoever runs it names its hosts with the option `allowedHosts`";
    return { status: 403, message };
  }

  #has({ name, port }: Host): boolean {
    if (this.#allowed === undefined) return isLoopback(name);
    return this.#allowed.some(
      (allowed) =>
        allowed.name === name &&
        (allowed.port === undefined ||
          allowed.port === port ||
          (port === undefined && USUAL.includes(allowed.port))),
    );
  }
}

function allowedHost(text: string): Host {
  const host = hostOf(text);
  if (host !== undefined) return host;
  const shown = JSON.stringify(text);
  throw new TypeError(
    `\`allowedHosts\`: ${shown} is no host, such as \`example.com:8080\``,
  );
}

/** What a header names, if that is a host. */
function hostOf(text: string): Host | undefined {
  const [, name, port] = HOST.exec(text.toLowerCase()) ?? [];
  if (name === undefined) return undefined;
  return {
    name: name.replace(/\.$/, ""),
    port: port === undefined ? undefined : Number(port),
  };
}

/** Whether a name is one of this machine for itself. */
function isLoopback(name: string): boolean {
  if (name === "localhost") return true;
  const parts = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name)?.slice(1);
  if (parts !== undefined) return parts.every((part) => Number(part) < 256);
  if (!name.startsWith("[")) return false;
  try {
    const { hostname } = new URL(`http://${name}`);
    return hostname === "[::1]" || hostname.startsWith("[::ffff:7f");
  } catch {
    return false;
  }
}
