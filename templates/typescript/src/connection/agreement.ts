// What the two ends have told each other: versions and capabilities.

import {
  type Advertised,
  Capabilities,
  checkAdvertised,
  type Gated,
  type Handshake,
  notAllowed,
} from "./capabilities.js";
import { ConnectionError } from "./connection-error.js";
import { isObject } from "./json.js";
import type { Method } from "./method.js";
import { answeredWith, askedFor, type Negotiation } from "./negotiation.js";
import type { Terms, Version } from "./terms.js";

/** Where the ends say what they can do, and which version they speak. */
export interface Said {
  /** Where the peer says what it can do. */
  readonly handshake?: Handshake;
  /** Where this end does, and what it has to handle then. */
  readonly advertises?: Advertised;
  /** How the two ends agree on a version. */
  readonly negotiation?: Negotiation;
}

/** What both ends of a connection may send each other. */
export class Agreement implements Terms {
  readonly #said: Said;
  readonly #capabilities: Capabilities;
  #version: Version | undefined;

  constructor(said: Said) {
    this.#said = said;
    this.#capabilities = new Capabilities(said.handshake);
    this.#version = said.negotiation?.versions.at(-1);
  }

  get version(): Version | undefined {
    return this.#version;
  }

  heard(method: string, params: unknown): void {
    this.#capabilities.learn(method, "params", params);
  }

  asked(method: string, params: unknown): void {
    const { negotiation } = this.#said;
    if (negotiation === undefined) return;
    this.#version = askedFor(negotiation, method, params) ?? this.#version;
  }

  answered(
    method: string,
    result: Readonly<Record<string, unknown>>,
  ): ConnectionError | undefined {
    this.#capabilities.learn(method, "result", result);
    const { negotiation } = this.#said;
    if (negotiation === undefined) return undefined;
    const answered = answeredWith(negotiation, method, result);
    if (answered instanceof ConnectionError) return answered;
    this.#version = answered ?? this.#version;
    return undefined;
  }

  refusal({ name, capability }: Gated): ConnectionError | undefined {
    const isAllowed =
      capability === undefined || this.#capabilities.allows(capability);
    return isAllowed ? undefined : notAllowed(name, capability);
  }

  told(method: string, result: unknown): unknown {
    const { negotiation } = this.#said;
    if (negotiation?.method !== method || !isObject(result)) return result;
    return { ...result, [negotiation.result]: this.#version };
  }

  check(
    method: Method<unknown>,
    position: "params" | "result",
    payload: unknown,
    handles: (method: string) => boolean,
  ): void {
    const { name, gates }: Gated = method;
    const gated = gates?.[position];
    if (gated) this.#capabilities.check(position, payload, gated);
    const { advertises } = this.#said;
    if (advertises?.method !== name || advertises.in !== position) return;
    checkAdvertised(advertises, payload, handles);
  }
}
