// What comes in: lines, and the messages in them.

import { RequestError } from "../errors.js";
import { stringifyJson } from "../parsing.js";
import { Collector } from "./batch.js";
import type { ConnectionError } from "./connection-error.js";
import type { Excess, Line } from "./framing.js";
import type { Inbox, Valid } from "./inbox.js";
import { own } from "./json.js";
import { type Link, malformed } from "./link.js";
import { type Message, messages } from "./message.js";
import { Unread } from "./unread.js";

/** Hands the messages of lines to an inbox. What is no message is answered here. */
export class Intake {
  readonly #link: Link;
  readonly #inbox: Inbox;
  /** The line over the limit that is coming in. */
  #excess: Unread | undefined;
  /** Whether nothing comes after the line that is given. */
  isAtEnd = false;

  constructor(link: Link, inbox: Inbox) {
    this.#link = link;
    this.#inbox = inbox;
  }

  /** Takes a line. */
  line(line: Line): void {
    if (typeof line !== "string") {
      if (line.type === "excess") this.#takeExcess(line);
      else this.#noText(line.bytes);
      return;
    }
    const found = messages(line, this.#link.settings.maxDepth);
    this.#link.watch.received(line, found !== undefined);
    if (found === undefined) {
      this.#unread(new TextEncoder().encode(line), true);
    } else if (!Array.isArray(found)) {
      this.#take(this.#judge(found), undefined);
    } else if (found.length === 0 || !this.#link.settings.batches) {
      const isEmpty = found.length === 0;
      const reason = isEmpty
        ? "it is an empty batch"
        : "it is a batch, and batches are off";
      this.#drop(reason);
      this.#link.refuse("null", RequestError.invalidRequest());
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
    this.#link.watch.received(new TextDecoder().decode(bytes), false);
    this.#unread(bytes, false);
  }

  /** Answers a line that cannot be read, and fails the calls that it answers. */
  #unread(bytes: Uint8Array, isText: boolean): void {
    const unread = new Unread(this.#link.calls);
    unread.read(bytes);
    unread.end();
    const { maxDepth } = this.#link.settings;
    let reason = isText ? "it is not JSON" : "it is not UTF-8";
    if (isText && unread.levels > maxDepth) {
      reason = `it is nested deeper than ${String(maxDepth)} levels`;
    }
    this.#drop(reason);
    if (unread.isRefused) {
      this.#link.refuse("null", RequestError.parseError());
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
      this.#link.refuse(unread.id, RequestError.invalidRequest());
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

  /**
   * Hands a message on, an error without an id for each call it is meant for,
   * or answers what is none.
   */
  #take(message: Message, batch: Collector | undefined): void {
    if (message.kind === "invalid") {
      this.#drop("it is no request, notification or response");
      const id = batch === undefined ? message.id : "null";
      this.#link.refuse(id, RequestError.invalidRequest(), batch);
      return;
    }
    const isIdless = message.kind === "response" && message.id === null;
    const isOfUnread = isIdless && saysUnread(message.error);
    const blamed = isOfUnread ? this.#link.calls.blamed() : [];
    for (const id of blamed)
      this.#inbox.take({ ...message, id } as Valid, batch);
    if (blamed.length === 0) this.#inbox.take(message, batch);
  }
}

/** Whether an error says that a message could not be read: such a one may have no id. */
function saysUnread(error: unknown): boolean {
  const code = own(error, "code");
  return code === -32700 || code === -32600;
}
