// What comes in: lines, and the messages in them.

import { stringifyJson } from "../parsing.js";
import { Collector } from "./batch.js";
import type { ConnectionError } from "./connection-error.js";
import type { Excess, Line } from "./framing.js";
import type { Inbox } from "./inbox.js";
import { type Link, malformed } from "./link.js";
import { type Message, messages } from "./message.js";
import { RequestError } from "./request-error.js";
import { behindEscapes, shown, type Strays } from "./stray.js";
import { Unread } from "./unread.js";

/** Hands the messages of lines to an inbox. What is no message is answered here. */
export class Intake {
  readonly #link: Link;
  readonly #inbox: Inbox;
  /** Takes what is no message, if that may be what a program prints. */
  readonly #strays: Strays | undefined;
  /** The line over the limit that is coming in. */
  #excess: Unread | undefined;
  /** Whether nothing comes after the line that is given. */
  isAtEnd = false;

  constructor(link: Link, inbox: Inbox, strays: Strays | undefined) {
    this.#link = link;
    this.#inbox = inbox;
    this.#strays = strays;
  }

  /** Takes a line. */
  line(line: Line): void {
    if (typeof line !== "string") {
      if (line.type === "excess") this.#takeExcess(line);
      else this.#noText(line.bytes);
      return;
    }
    const { maxDepth } = this.#link.settings;
    const whole = messages(line, maxDepth);
    this.#link.watch.received(line, whole !== undefined);
    const found = whole ?? behind(line, maxDepth);
    if (found === undefined) {
      this.#unread(line, new TextEncoder().encode(line), true);
    } else if (!Array.isArray(found)) {
      this.#take(this.#judge(found), line);
    } else if (found.length === 0 || !this.#link.settings.batches) {
      const isEmpty = found.length === 0;
      const reason = isEmpty
        ? "it is an empty batch"
        : "it is a batch, and batches are off";
      this.#drop(reason);
      this.#refuse(line, "null", RequestError.invalidRequest());
    } else {
      this.#batch(found);
    }
  }

  /** Fails a call whose answer will not come, after what came before. */
  lose(id: unknown, error: ConnectionError): void {
    if (id === undefined) this.#drop(error.message);
    if (this.#link.calls.find(id) === undefined) return;
    const lost = { kind: "response", id, result: undefined, error } as const;
    this.#inbox.take({ ...lost, size: 0 }, undefined);
  }

  #noText(bytes: Uint8Array): void {
    const line = new TextDecoder().decode(bytes);
    this.#link.watch.received(line, false);
    this.#unread(line, bytes, false);
  }

  /** Answers a line that cannot be read, and fails the calls that it answers. */
  #unread(line: string, bytes: Uint8Array, isText: boolean): void {
    const unread = new Unread(this.#link.calls);
    unread.read(bytes);
    unread.end();
    const { maxDepth } = this.#link.settings;
    let reason = isText ? "it is not JSON" : "it is not UTF-8";
    if (isText && unread.levels > maxDepth) {
      reason = `it is nested deeper than ${String(maxDepth)} levels`;
    }
    reason = `${reason}: ${shown(line.trim())}`;
    this.#drop(reason);
    if (unread.isRefused) {
      this.#refuse(line, "null", RequestError.parseError());
    }
    this.#loseAll(unread, reason);
  }

  /** Takes a piece of a line over the limit, which is not held. */
  #takeExcess({ piece, isLast }: Excess): void {
    this.#excess ??= new Unread(this.#link.calls);
    const unread = this.#excess;
    unread.read(piece);
    if (!isLast) return;
    this.#excess = undefined;
    unread.end();
    const limit = String(this.#link.settings.maxLine);
    const reason = `it is longer than ${limit} bytes`;
    this.#drop(reason, unread.method);
    if (unread.isRefused) {
      this.#refuse(undefined, unread.id, RequestError.invalidRequest());
    }
    this.#loseAll(unread, reason);
  }

  #loseAll(unread: Unread, reason: string): void {
    // What the end breaks off fails by the end.
    if (this.isAtEnd) return;
    for (const id of unread.answered) this.lose(id, malformed(reason));
  }

  /** Tells of what was thrown away. */
  #drop(reason: string, method?: string, path = ""): void {
    const named = method === undefined ? {} : { method };
    const { watch } = this.#link;
    watch.trouble({ type: "dropped", ...named, path, reason });
  }

  #batch(entries: Message[]): void {
    const judged = entries.map((entry) => this.#judge(entry));
    const answers = judged.filter(
      ({ kind }) => kind === "request" || kind === "invalid",
    );
    const batch = new Collector(answers.length);
    for (const message of judged) this.#take(message, batch);
  }

  /**
   * An object with an id and nothing else is a response, if a call waits for
   * it, and else no message.
   */
  #judge(message: Message): Message {
    if (message.kind !== "response") return message;
    const { id, result, error } = message;
    const isBare = result === undefined && error === undefined;
    if (!isBare || this.#link.calls.find(id) !== undefined) return message;
    return { kind: "invalid", id: stringifyJson(id) ?? "null" };
  }

  /** Hands on a message of a line or a batch, or answers what is none. */
  #take(message: Message, from: string | Collector): void {
    const isLine = typeof from === "string";
    if (message.kind !== "invalid") {
      this.#inbox.take(message, isLine ? undefined : from);
      return;
    }
    const error = RequestError.invalidRequest();
    const reason = "it is no request, notification or response";
    if (isLine) {
      this.#drop(`${reason}: ${shown(from.trim())}`);
      this.#refuse(from, message.id, error);
    } else {
      this.#drop(reason);
      this.#link.refuse("null", error, from);
    }
  }

  /**
   * Answers a line that is no message, unless it may be what a program prints.
   * It is `undefined` if it is not held.
   */
  #refuse(line: string | undefined, id: string, error: RequestError): void {
    if (id !== "null" || this.#strays === undefined) {
      this.#link.refuse(id, error);
    } else if (line !== undefined) {
      this.#strays.take(line.trim());
    }
  }
}

/** The message behind the escape sequences that a line begins with, if one is. */
function behind(line: string, maxDepth: number): Message | undefined {
  const rest = behindEscapes(line);
  if (rest === undefined) return undefined;
  const found = messages(rest, maxDepth);
  if (found === undefined || Array.isArray(found)) return undefined;
  return found.kind === "invalid" ? undefined : found;
}
