// Who wants to know what passes a connection.

import { chosenLog } from "./environment.js";
import type { Side } from "./method.js";
import type { ConnectionOptions, Log, Observed } from "./options.js";
import type { Rules } from "./rules.js";
import type { MessageStream, Stream } from "./stream.js";

/** What the two ends of a connection are called. */
type Ends = Pick<Rules, "near" | "far">;

/** Tells whoever wants to know what passes a connection. */
export class Watch {
  readonly #observe: ConnectionOptions["observe"];
  readonly #log: Log | undefined;
  readonly #prints: boolean;
  readonly #ends: Ends;
  /** Whoever runs the program, where it serves on its standard streams. */
  readonly #runner: Pick<Stream, "tell">;

  constructor(
    options: ConnectionOptions,
    // A stream of messages has nobody to tell.
    stream: Pick<Stream, "chosenLog" | "tell"> | MessageStream,
    { rules, logVariable }: Pick<Side, "rules" | "logVariable">,
  ) {
    const own: Pick<Stream, "chosenLog" | "tell"> =
      "isParsed" in stream ? {} : stream;
    const log =
      own.chosenLog?.(options.log, logVariable) ??
      chosenLog(options.log, logVariable);
    this.#observe = options.observe;
    this.#log = typeof log === "function" ? log : undefined;
    this.#prints = log === true;
    this.#ends = rules;
    this.#runner = options.reportFailures === false ? {} : own;
  }

  /** Whether anyone wants to know of trouble. */
  get isWanted(): boolean {
    return this.#observe !== undefined || this.#prints;
  }

  /** Tells of a line that came in, and whether it is JSON. */
  received(line: string, isJson: boolean): void {
    const { near, far = "peer" } = this.#ends;
    this.#record(far, near, isJson ? line : JSON.stringify(line));
    if (this.#observe !== undefined) this.#tell({ type: "received", line });
  }

  /** Tells of a line that goes out. */
  sent(line: string): void {
    const { near, far = "peer" } = this.#ends;
    this.#record(near, far, line);
    if (this.#observe !== undefined) this.#tell({ type: "sent", line });
  }

  /** Tells of trouble. */
  trouble(observed: Trouble): void {
    const { near } = this.#ends;
    if (observed.type === "failed") {
      this.#runner.tell?.(`${near}: ${observed.method} failed`, observed.error);
    }
    if (this.#prints) console.debug(...inWords(near, observed));
    this.#tell(observed);
  }

  /** An observer that throws harms nobody. */
  #tell(observed: Observed): void {
    try {
      this.#observe?.(observed);
    } catch (error) {
      this.#print("the observer failed", error);
    }
  }

  #record(from: string, to: string, message: string): void {
    if (this.#log === undefined) return;
    const time = new Date().toISOString();
    const head = JSON.stringify({ time, by: this.#ends.near, from, to });
    try {
      this.#log(`${head.slice(0, -1)},"message":${message}}`);
    } catch (error) {
      this.#print("the log failed", error);
    }
  }

  #print(what: string, error: unknown): void {
    if (this.#prints) console.debug(`${this.#ends.near}: ${what}`, error);
  }
}

/** What is observed and is no line. */
export type Trouble = Exclude<
  Observed,
  { readonly type: "received" } | { readonly type: "sent" }
>;

/** Trouble as `console` prints it. */
function inWords(near: string, observed: Trouble): unknown[] {
  switch (observed.type) {
    case "ignored":
      return [`${near}: ${observed.method} is ignored: nothing handles it`];
    case "unexpected":
      return [`${near}: no call waits for the response`, observed.id];
    case "failed":
      return [`${near}: ${observed.method} failed`, observed.error];
    case "dropped":
    case "forgiven": {
      const { type, method = "a message", path, reason } = observed;
      const where = path === "" ? "" : `${path}: `;
      return [`${near}: ${method} is ${type}: ${where}${reason}`];
    }
  }
}
