// The version that both ends speak.

import { ConnectionError } from "./connection-error.js";
import { isObject, own } from "./json.js";
import type { Route } from "./peer.js";
import type { Version } from "./terms.js";
import type { Ends } from "./watch.js";

/** How the two ends agree on a version. */
export interface Negotiation {
  /** The request that does it. */
  readonly method: string;
  /** The property of its params that holds the version asked for. */
  readonly params: string;
  /** The property of its result that holds the version spoken. */
  readonly result: string;
  /** The versions that are spoken here, from the lowest to the highest. */
  readonly versions: readonly Version[];
  /** What this end and the other are called. */
  readonly ends: Ends;
}

/** The version of the protocol that is spoken. */
export function version(route: Route): Version | undefined {
  return route.link.terms?.version;
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
  { method, result, versions, ends }: Negotiation,
  called: string,
  payload: unknown,
): Version | ConnectionError | undefined {
  if (called !== method) return undefined;
  const version = own(payload, result);
  if (versions.some((spoken) => spoken === version)) return version as Version;
  // One of another kind is none at all.
  if (typeof version !== typeof versions[0]) return undefined;
  const ours = versions.join(", ");
  const { near, far } = ends;
  const message = `the ${far} speaks version ${String(version)}; this ${near} speaks ${ours}`;
  return new ConnectionError("version", message);
}
