// Decides which requests a server looks at.

import {
  type Authenticate,
  type IncomingRequest,
  Refusal,
  type RequestInfo,
} from "./access.js";
import { wrong } from "./answers.js";
import { passed, type RemoteLimits } from "./limits.js";
import type { Origins } from "./origin.js";

/** Decides which requests a server looks at. */
export class Gate {
  readonly path: string;
  readonly #origins: Origins;
  readonly #limits: RemoteLimits;
  readonly #authenticate: Authenticate | undefined;

  constructor(
    path: string,
    origins: Origins,
    limits: RemoteLimits,
    authenticate: Authenticate | undefined,
  ) {
    this.path = path;
    this.#origins = origins;
    this.#limits = limits;
    this.#authenticate = authenticate;
  }

  /** Gives whose request it is, or the answer that refuses it. */
  async admit(
    request: IncomingRequest,
    info: RequestInfo,
  ): Promise<{ readonly identity: unknown } | Response> {
    const { method, headers } = request;
    const origin = headers.get("origin") ?? undefined;
    const refused = this.#origins.refusal(request);
    if (refused !== undefined) return wrong(refused);
    const { pathname: path } = new URL(request.url);
    let identity: unknown;
    try {
      const asking = { ...info, method, path, headers, origin };
      identity = await this.#authenticate?.(asking);
    } catch {
      const message = "the request could not be authenticated";
      return wrong({ status: 500, message, code: -32603 });
    }
    if (identity instanceof Refusal) return refuse(identity);
    if (path !== this.path) {
      return wrong({ status: 404, message: "nothing is served at this path" });
    }
    if ([...headers].length > this.#limits.headers) {
      const message = passed("headers", "there are too many headers");
      return wrong({ status: 431, message });
    }
    return { identity };
  }
}

function refuse({ status, message, challenge }: Refusal): Response {
  const headers =
    challenge === undefined ? undefined : { "www-authenticate": challenge };
  return wrong({ status, message, ...(headers && { headers }) });
}
