// The version that both ends speak.

/** A version of the protocol. */
export type Version = string | number;

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
  /** What the two ends are called: who asks, and who answers. */
  readonly asker: string;
  readonly answerer: string;
}

/** The version to answer with: the one asked for, or the nearest below it. */
export function answerTo(
  { versions }: Negotiation,
  asked: unknown,
): Version | undefined {
  const highest = versions.at(-1);
  if (versions.some((version) => version === asked)) return asked as Version;
  if (typeof asked !== "number") return highest;
  const lower = versions.filter((version) => Number(version) < asked);
  return lower.at(-1) ?? highest;
}

/** Whether a version is spoken here. One of another kind is none at all. */
export function judge(
  { versions }: Negotiation,
  version: unknown,
): "spoken" | "unknown" | "invalid" {
  if (versions.some((spoken) => spoken === version)) return "spoken";
  return typeof version === typeof versions[0] ? "unknown" : "invalid";
}

/** Says that there is no version which both ends speak. */
export function disagreement(
  { versions, asker, answerer }: Negotiation,
  version: unknown,
): string {
  const ours = versions.join(", ");
  return `the ${answerer} speaks version ${String(version)}; this ${asker} speaks ${ours}`;
}
