// The client's requests that wait for answers, and the sessions they opened.

import {
  type RequestEnvelope,
  type ResponseEnvelope,
  sessionIn,
} from "./envelope.js";
import type { RemoteRules } from "./rules.js";

/** A request that has no answer yet. */
export interface Asked {
  readonly method: string;
  readonly session: string | undefined;
  /** Whether it opens a session, or opens it again. */
  readonly isOpening: boolean;
  /** Whether its session was not known before. */
  readonly isNew: boolean;
  /** Whether its answer belongs to its session; else, to the connection. */
  readonly isScoped: boolean;
}

/** What an answer did to sessions. */
export interface Answered extends Asked {
  readonly opened?: string;
  readonly closed?: string;
}

/**
 * The client's requests that wait for answers, and the sessions they opened.
 * Both ends keep one.
 */
export class Dialog {
  readonly asked: Map<string, Asked> = new Map();
  /** The methods of requests whose answers will not come. */
  readonly lost: string[] = [];
  /** The sessions that are known. */
  readonly sessions: Set<string> = new Set();
  readonly #rules: RemoteRules;

  constructor(rules: RemoteRules) {
    this.#rules = rules;
  }

  /** How many requests that open a session wait. */
  get opening(): number {
    let count = 0;
    for (const { isOpening } of this.asked.values()) if (isOpening) count += 1;
    return count;
  }

  /** Whether a request opens a session, or opens it again. */
  opens(method: string): boolean {
    return this.#rules.session?.openedBy.includes(method) ?? false;
  }

  /** Takes note of a request. It may belong to a session it does not name. */
  ask(request: RequestEnvelope, header?: string): Asked {
    const { id, method } = request;
    const session = request.session ?? header;
    const isOpening = this.opens(method);
    const isKnown = session !== undefined && this.sessions.has(session);
    const isScoped = isKnown && !isOpening;
    const isNew = isOpening && request.session !== undefined && !isKnown;
    if (isNew) this.sessions.add(request.session);
    const asked = { method, session, isOpening, isNew, isScoped };
    this.asked.set(id, asked);
    return asked;
  }

  /** Takes note of an answer; `undefined` if nothing was asked. */
  answer({ id, isGood, result }: ResponseEnvelope): Answered | undefined {
    const asked = this.asked.get(id);
    if (asked === undefined) return undefined;
    this.asked.delete(id);
    if (asked.isOpening) {
      const opened = asked.session ?? sessionIn(result, this.#rules);
      if (opened === undefined) return asked;
      if (isGood) {
        this.sessions.add(opened);
        return { ...asked, opened };
      }
      return asked.isNew ? this.#closed(asked) : asked;
    }
    const isClosing = this.#rules.session?.closedBy.includes(asked.method);
    return isClosing === true && isGood ? this.#closed(asked) : asked;
  }

  #closed(asked: Asked): Answered {
    const { session } = asked;
    if (session === undefined || !this.sessions.delete(session)) return asked;
    return { ...asked, closed: session };
  }
}
