// The rules of the connections of a side, as the protocol states them.

/** A version of the protocol. */
export type Version = string | number;

/** A payload of a method: of a request its params or its result. */
export type Part = "params" | "result" | "notification";

/** The rules of the connections of a side. */
export interface Rules {
  /** The name of the side. */
  readonly near: string;
  /** The name of the other end, if there is only one that it can be. */
  readonly far?: string;
  /**
   * The notification that cancels a request, and the property of its params
   * that holds the request's id.
   */
  readonly cancel?: { readonly method: string; readonly property: string };
  /** The messages that cancel requests which the side handles. */
  readonly cancels?: readonly Turn[];
  /** Where the peer says what it can do. */
  readonly handshake?: CapabilityLocation;
  /** Where this end does, and what it has to handle then. */
  readonly advertises?: Advertises;
  /** How the two ends agree on a version. */
  readonly negotiation?: Negotiation;
  /** The rules of calls. */
  readonly calls?: readonly CallRule[];
  /** The parts of payloads that may be sent only if the peer allows it. */
  readonly gates?: readonly Gated[];
}

/** A message that cancels requests. */
export interface Turn {
  /** The message. */
  readonly method: string;
  /** The request that is cancelled. */
  readonly request: string;
  /** The property that is the same in the params of both. */
  readonly key: string;
  /**
   * What a request is answered that ends by it, as JSON. Without it that is an
   * error.
   */
  readonly result?: string;
}

/** Where an end says what it can do. */
export interface CapabilityLocation {
  readonly method: string;
  readonly part: Part;
  readonly property: string;
}

/** Where this end says what it can do, and what it has to handle then. */
export interface Advertises {
  readonly location: CapabilityLocation;
  readonly capabilities: readonly {
    readonly capability: readonly string[];
    readonly methods: readonly string[];
  }[];
}

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
  /** This end answers the request. */
  readonly answers?: true;
}

/** The rules of calls of a method. */
export interface CallRule {
  readonly method: string;
  readonly part: Part;
  /** It changes what the connection is, and must not be in a batch. */
  readonly lifecycle?: true;
  /** Where in the peer's capabilities it has to be allowed. */
  readonly capability?: readonly string[];
}

/** The parts of a payload that may be sent only if the peer allows it. */
export interface Gated {
  readonly method: string;
  readonly part: Part;
  readonly gates: readonly Gate[];
}

/** A place in a payload that the peer has to allow. */
export interface Gate {
  readonly path: readonly Step[];
  /** Where in the peer's capabilities it has to be allowed. */
  readonly capability: readonly string[];
}

/**
 * A step into a JSON value: to a property; to all items or values; or no
 * further unless a property is this string.
 */
export type Step = string | null | readonly [property: string, tag: string];
