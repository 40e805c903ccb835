// What the two ends say that they can do.

import { ConnectionError } from "./connection-error.js";
import { isObject, own } from "./json.js";
import type { Advertises, CapabilityLocation, Gate, Step } from "./rules.js";

/** What the peer says that it can do. */
export class Capabilities {
  readonly #handshake: CapabilityLocation | undefined;
  #told: unknown;

  constructor(handshake: CapabilityLocation | undefined) {
    this.#handshake = handshake;
  }

  /** Takes note of what a payload says of the peer, if it is where that is said. */
  learn(
    method: string,
    part: CapabilityLocation["part"],
    payload: unknown,
  ): void {
    const rule = this.#handshake;
    if (rule?.method !== method || rule.part !== part) return;
    if (isObject(payload)) this.#told = own(payload, rule.property) ?? null;
  }

  /** Before the peer has said what it can do, everything is allowed. */
  allows(capability: readonly string[]): boolean {
    return this.#told === undefined || isTold(this.#told, capability);
  }

  /** Throws if the peer does not allow something in a payload. */
  check(name: string, payload: unknown, gates: readonly Gate[]): void {
    for (const { path, capability } of gates) {
      if (this.allows(capability)) continue;
      const place = placeOf(payload, path, name);
      if (place !== undefined) throw notAllowed(place, capability);
    }
  }
}

/** The peer did not say that something may be sent. */
export function notAllowed(
  what: string,
  capability: readonly string[],
): ConnectionError {
  const message = `the peer does not allow ${what}: ${capability.join(".")}`;
  return new ConnectionError("not-supported", message);
}

/** Throws if this end says that it can do what it does not handle. */
export function checkAdvertised(
  rule: Advertises,
  payload: unknown,
  handles: (method: string) => boolean,
): void {
  const told = own(payload, rule.location.property);
  for (const { capability, methods } of rule.capabilities) {
    const missing = methods.find((method) => !handles(method));
    if (missing === undefined || !isTold(told, capability)) continue;
    const message = `advertises \`${capability.join(".")}\` but does not handle \`${missing}\``;
    throw new ConnectionError("not-handled", message);
  }
}

function isTold(told: unknown, capability: readonly string[]): boolean {
  let value = told;
  for (const name of capability) value = own(value, name);
  return value !== undefined && value !== null && value !== false;
}

/** The first place that a path leads to, if there is something. */
function placeOf(
  value: unknown,
  path: readonly Step[],
  place: string,
): string | undefined {
  const [step, ...rest] = path;
  if (value === undefined || value === null) return undefined;
  if (step === undefined) return place;
  if (typeof step === "string") {
    return placeOf(own(value, step), rest, `${place}.${step}`);
  }
  if (step !== null) {
    const [property, tag] = step;
    return own(value, property) === tag
      ? placeOf(value, rest, place)
      : undefined;
  }
  for (const [within, item] of parts(value)) {
    const found = placeOf(item, rest, `${place}${within}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parts(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => [`[${String(index)}]`, item]);
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, item]) => [`.${key}`, item]);
}
