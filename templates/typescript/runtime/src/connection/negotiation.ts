// The version that both ends speak.

import { ConnectionError } from "./connection-error.js";
import { isObject, own } from "./json.js";
import type { Route } from "./peer.js";
import type { Negotiation, Rules, Version } from "./rules.js";

/** The version of the protocol that is spoken. */
export function version(route: Route): Version | undefined {
  return route.link.agreement.version;
}

/** The version that a request asks for, if that is what it does. */
export function askedFor(
  { method, params, versions }: Negotiation,
  called: string,
  payload: unknown,
): Version | undefined {
  if (called !== method || !isObject(payload)) return undefined;
  const asked = own(payload, params);
  if (versions.some((version) => version === asked)) return asked as Version;
  const highest = versions.at(-1);
  if (typeof asked !== "number") return highest;
  // The nearest below it.
  const lower = versions.filter((version) => Number(version) < asked);
  return lower.at(-1) ?? highest;
}

/** The version that an answer says is spoken, or why the connection ends. */
export function answeredWith(
  { near, far = "peer", negotiation }: Rules,
  called: string,
  payload: unknown,
): Version | ConnectionError | undefined {
  if (negotiation?.method !== called) return undefined;
  const { result, versions } = negotiation;
  const version = own(payload, result);
  if (versions.some((spoken) => spoken === version)) return version as Version;
  // One of another kind is none at all.
  if (typeof version !== typeof versions[0]) return undefined;
  const ours = versions.join(", ");
  const message = `the ${far} speaks version ${String(version)}; this ${near} speaks ${ours}`;
  return new ConnectionError("version", message);
}
