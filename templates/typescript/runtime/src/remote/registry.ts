// The connections of a server, by their ids.

import type { Pipe } from "../connection.js";
import { isSameIdentity } from "./access.js";
import type { Dialog } from "./dialog.js";

/** A connection of a server. */
export interface Member {
  /** Who opened it. */
  readonly identity: unknown;
  readonly pipe: Pipe;
  readonly dialog: Dialog;
  /** Ends the connection. */
  stop(reason: string): void;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
}

/**
 * The connections of a server, by their ids.
 *
 * An id has two parts, both of them random: one to look it up by, and 128 bits
 * that are compared in constant time.
 */
export class Registry {
  readonly #members: Map<
    string,
    { secret: string; member: Member | undefined }
  > = new Map();

  /** How many connections there are, also those being opened. */
  get size(): number {
    return this.#members.size;
  }

  /** The connections that are open. */
  *members(): Iterable<Member> {
    for (const { member } of this.#members.values()) if (member) yield member;
  }

  /** Gives a new id, for a connection that is being opened. */
  reserve(): string {
    const name = random(NAME);
    const secret = random(SECRET);
    this.#members.set(name, { secret, member: undefined });
    return name + secret;
  }

  /** Has a connection found by its id. */
  add(id: string, member: Member): void {
    const entry = this.#members.get(nameOf(id));
    if (entry !== undefined) entry.member = member;
  }

  /** The connection with this id, if whoever asks has opened it. */
  find(id: string, identity: unknown): Member | undefined {
    const entry = this.#members.get(nameOf(id));
    const { secret, member } = entry ?? { secret: "", member: undefined };
    const isIt = isSame(secret, id.slice(2 * NAME));
    if (!isIt || member === undefined) return undefined;
    return isSameIdentity(member.identity, identity) ? member : undefined;
  }

  /** Forgets a connection. */
  remove(id: string): void {
    this.#members.delete(nameOf(id));
  }
}

/** How many bytes the parts of an id have. */
const NAME = 8;
const SECRET = 16;

function nameOf(id: string): string {
  return id.slice(0, 2 * NAME);
}

/** Random bytes as hexadecimal digits. */
function random(bytes: number): string {
  let text = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) {
    text += byte.toString(16).padStart(2, "0");
  }
  return text;
}

/** Whether two texts are the same; takes as long if they are not. */
function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at += 1) {
    difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  }
  return difference === 0;
}
