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
  /** Whether it opens the session again that its params name. */
  readonly isReopening: boolean;
  /** Whether it makes its session known. */
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

  /** How many requests that open a new session wait. */
  get opening(): number {
    let count = 0;
    for (const { isOpening, isReopening } of this.asked.values()) {
      if (isOpening && !isReopening) count += 1;
    }
    return count;
  }

  /** Whether a request opens a session that is not known yet. */
  opensUnknown(request: RequestEnvelope): boolean {
    const { isOpening, isReopening, isNew } = this.#ask(request, undefined);
    return isNew || (isOpening && !isReopening);
  }

  /** Takes note of a request. It may belong to a session it does not name. */
  ask(request: RequestEnvelope, header?: string): Asked {
    const asked = this.#ask(request, header);
    const { session, isNew } = asked;
    if (isNew && session !== undefined) this.sessions.add(session);
    this.asked.set(request.id, asked);
    return asked;
  }

  #ask(request: RequestEnvelope, header: string | undefined): Asked {
    const { method } = request;
    const session = request.session ?? header;
    const rules = this.#rules.session;
    const isReopening =
      request.session !== undefined &&
      rules?.reopenedBy?.includes(method) === true;
    const isOpening = isReopening || rules?.openedBy?.includes(method) === true;
    const isKnown = session !== undefined && this.sessions.has(session);
    const isScoped = isKnown && !isOpening;
    const isNew = isReopening && !isKnown;
    return { method, session, isOpening, isReopening, isNew, isScoped };
  }

  /** Takes note of an answer; `undefined` if nothing was asked. */
  answer({ id, isGood, result }: ResponseEnvelope): Answered | undefined {
    const asked = this.asked.get(id);
    if (asked === undefined) return undefined;
    this.asked.delete(id);
    if (asked.isOpening) {
      const opened = asked.isReopening
        ? asked.session
        : sessionIn(result, this.#rules);
      if (opened === undefined) return asked;
      if (isGood) {
        this.sessions.add(opened);
        return { ...asked, opened };
      }
      return asked.isNew ? this.#closed(asked) : asked;
    }
    const isClosing = this.#rules.session?.closedBy?.includes(asked.method);
    return isClosing === true && isGood ? this.#closed(asked) : asked;
  }

  #closed(asked: Asked): Answered {
    const { session } = asked;
    if (session === undefined || !this.sessions.delete(session)) return asked;
    return { ...asked, closed: session };
  }
}
