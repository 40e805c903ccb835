// What the protocol says about connections over a network.

/** What the protocol says about connections over a network. */
export interface RemoteRules {
  /** The path of the endpoint. */
  readonly path: string;
  /** The request that opens a connection. */
  readonly opens?: string;
  /** The header that holds the id of a connection. */
  readonly connection?: string;
  /** The header that holds the version which is spoken. */
  readonly version?: VersionHeader;
  readonly session?: SessionRules;
}

/** The header that holds the version which is spoken, and what that is. */
export interface VersionHeader {
  readonly header: string;
  /** The property of the opening request's result that says which version. */
  readonly property?: string;
  /** The version, if the ends do not agree on one when they open. */
  readonly value?: string;
}

/** What the protocol says about sessions, of which a connection has many. */
export interface SessionRules {
  /** The property of params and results that holds the id of a session. */
  readonly property: string;
  /** The header that holds it. */
  readonly header: string;
  /** The requests that open a new session, which their result names. */
  readonly openedBy?: readonly string[];
  /** The requests that open the session that their params name again. */
  readonly reopenedBy?: readonly string[];
  /** The requests that close one. */
  readonly closedBy?: readonly string[];
}

/** What is known of a protocol that also goes over plain HTTP. */
export type HttpRules = RemoteRules & {
  readonly opens: string;
  readonly connection: string;
};
