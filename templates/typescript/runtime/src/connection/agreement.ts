// What the two ends have told each other: versions and capabilities.

import { Capabilities, checkAdvertised, notAllowed } from "./capabilities.js";
import { ConnectionError } from "./connection-error.js";
import { isObject } from "./json.js";
import type { Method } from "./method.js";
import { answeredWith, askedFor } from "./negotiation.js";
import type { CallRule, Gate, Part, Rules, Version } from "./rules.js";

/** What both ends of a connection may send each other. */
export class Agreement {
  readonly #rules: Rules;
  readonly #capabilities: Capabilities;
  readonly #calls: ReadonlyMap<string, CallRule>;
  readonly #gates: ReadonlyMap<string, readonly Gate[]>;
  #version: Version | undefined;

  constructor(rules: Rules) {
    const { calls = [], gates = [] } = rules;
    this.#rules = rules;
    this.#capabilities = new Capabilities(rules.handshake);
    this.#calls = new Map(calls.map((rule) => [ruleKey(rule), rule]));
    this.#gates = new Map(gates.map((rule) => [ruleKey(rule), rule.gates]));
    this.#version = rules.negotiation?.versions.at(-1);
  }

  /** The version that is spoken; the highest until one was agreed on. */
  get version(): Version | undefined {
    return this.#version;
  }

  /** Takes note of what a request of the peer says that it can do. */
  heard(method: string, params: unknown): void {
    this.#capabilities.learn(method, "params", params);
  }

  /** Takes note of the version that a request of the peer asks for. */
  asked(method: string, params: unknown): void {
    const { negotiation } = this.#rules;
    if (negotiation?.answers !== true) return;
    this.#version = askedFor(negotiation, method, params) ?? this.#version;
  }

  /** Takes note of what the peer answers. Gives why the connection has to end. */
  answered(
    method: string,
    result: Readonly<Record<string, unknown>>,
  ): ConnectionError | undefined {
    this.#capabilities.learn(method, "result", result);
    const answered = answeredWith(this.#rules, method, result);
    if (answered instanceof ConnectionError) return answered;
    this.#version = answered ?? this.#version;
    return undefined;
  }

  /** Why a method must not be called, if it must not. */
  refusal(
    name: string,
    rule: CallRule | undefined,
  ): ConnectionError | undefined {
    const capability = rule?.capability;
    const isAllowed =
      capability === undefined || this.#capabilities.allows(capability);
    return isAllowed ? undefined : notAllowed(name, capability);
  }

  /** What holds of calls of a method. Of one by its name alone, nothing does. */
  rule(method: Method<unknown>): CallRule | undefined {
    if (this.#calls.size === 0 || method.handler === "") return undefined;
    const { name } = method;
    return this.#calls.get(ruleKey({ method: name, part: partOf(method) }));
  }

  /** A result as it is sent. */
  told(method: string, result: unknown): unknown {
    const { negotiation } = this.#rules;
    const isIt = negotiation?.answers === true && negotiation.method === method;
    if (!isIt || !isObject(result)) return result;
    return { ...result, [negotiation.result]: this.#version };
  }

  /** Throws if a payload must not be sent by an end that handles these. */
  check(
    method: Method<unknown>,
    position: "params" | "result",
    payload: unknown,
    handles: (method: string) => boolean,
  ): void {
    const { name, handler } = method;
    if (handler === "") return;
    const part = position === "result" ? position : partOf(method);
    if (this.#gates.size > 0) {
      const gates = this.#gates.get(ruleKey({ method: name, part }));
      if (gates) this.#capabilities.check(position, payload, gates);
    }
    const { advertises } = this.#rules;
    if (
      advertises?.location.method !== name ||
      advertises.location.part !== part
    ) {
      return;
    }
    checkAdvertised(advertises, payload, handles);
  }
}

function partOf(method: Method<unknown>): Part {
  return "result" in method ? "params" : "notification";
}

function ruleKey({ method, part }: { method: string; part: Part }): string {
  return `${part} ${method}`;
}
