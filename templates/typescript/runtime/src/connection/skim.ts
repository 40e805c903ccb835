// What can be told of messages that cannot be read. Nothing here recurses, and
// the text is not held: it may come in pieces.

import { parseJson } from "../parsing.js";
import { BACKSLASH, QUOTE } from "./scan.js";

/** What is known of a message without all of it. */
export interface Skimmed {
  /** Its id as JSON, where it is known. */
  readonly id: string | undefined;
  /** Its method, where it is known. */
  readonly method: string | undefined;
  /** Whether it is a call. */
  readonly isCall: boolean;
  /** Whether it answers one. */
  readonly isResponse: boolean;
}

/** A message that is being read. */
interface Members {
  id: string | undefined;
  method: string | undefined;
  hasMethod: boolean;
  hasOutcome: boolean;
}

/** How long a name or an id may be, in bytes. */
const LONGEST = 64 * 1024;

const COMMA = 0x2c;
const COLON = 0x3a;

/** Reads the members of messages: of one, or of the entries of a batch. */
export class Skimmer {
  #depth = 0;
  #levels = 0;
  /** How deep the members of messages are. */
  #level = 0;
  #isBatch = false;
  #within: "nothing" | "string" | "word" = "nothing";
  #isEscaped = false;
  /** The last string, number or word, as far as it is read. */
  #token: number[] = [];
  /** The name of the member whose value comes next. */
  #key: string | undefined;
  #message: Members | undefined;
  /** The messages that are there to their end. */
  #done: Skimmed[] = [];

  /** The most levels that were open at once. */
  get levels(): number {
    return this.#levels;
  }

  /** Whether there is a batch. */
  get isBatch(): boolean {
    return this.#isBatch;
  }

  /** Reads on. */
  read(bytes: Uint8Array): void {
    for (const byte of bytes) this.#step(byte);
  }

  /** Takes the messages that were read to their end. */
  take(): Skimmed[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  /**
   * There is no more: what is known of a message that is cut off counts. Says
   * whether all that was opened is closed.
   */
  end(): boolean {
    this.#finish();
    return this.#depth === 0;
  }

  #step(byte: number): void {
    if (this.#within === "string") {
      this.#keep(byte);
      if (byte === QUOTE && !this.#isEscaped) {
        this.#within = "nothing";
        this.#scalar();
      } else {
        this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
      }
    } else if (this.#within === "word" && !endsWord(byte)) {
      this.#keep(byte);
    } else {
      if (this.#within === "word") {
        this.#within = "nothing";
        this.#scalar();
      }
      this.#begin(byte);
    }
  }

  #begin(byte: number): void {
    if (isOpening(byte)) {
      this.#open(byte === 0x7b);
    } else if (isClosing(byte)) {
      this.#close();
    } else if (byte === COLON) {
      this.#colon();
    } else if (byte === COMMA) {
      this.#key = undefined;
    } else if (byte > 0x20) {
      this.#token = [];
      this.#keep(byte);
      this.#isEscaped = false;
      this.#within = byte === QUOTE ? "string" : "word";
    }
  }

  /** Keeps what may be a name or an id. */
  #keep(byte: number): void {
    if (this.#depth === this.#level && this.#token.length < LONGEST) {
      this.#token.push(byte);
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth === 0) {
      this.#level = isObject ? 1 : 2;
      this.#isBatch ||= !isObject;
    }
    this.#depth += 1;
    this.#levels = Math.max(this.#levels, this.#depth);
    this.#key = undefined;
    this.#token = [];
    if (this.#depth === this.#level && isObject) {
      this.#message = {
        id: undefined,
        method: undefined,
        hasMethod: false,
        hasOutcome: false,
      };
    }
  }

  #close(): void {
    if (this.#depth === this.#level) this.#finish();
    this.#depth = Math.max(this.#depth - 1, 0);
    this.#key = undefined;
  }

  #finish(): void {
    if (this.#message === undefined) return;
    const { id, method, hasMethod, hasOutcome } = this.#message;
    const isResponse = hasOutcome && !hasMethod;
    this.#done.push({ id, method, isCall: hasMethod, isResponse });
    this.#message = undefined;
  }

  #colon(): void {
    if (this.#message === undefined || this.#depth !== this.#level) return;
    const key: unknown = parseToken(this.#token);
    this.#key = typeof key === "string" ? key : undefined;
    this.#message.hasOutcome ||= key === "result" || key === "error";
    this.#message.hasMethod ||= key === "method";
  }

  /** Takes note of a string, a number or a word that is there to its end. */
  #scalar(): void {
    if (this.#message === undefined || this.#depth !== this.#level) return;
    const key = this.#key;
    this.#key = undefined;
    if (key !== "id" && key !== "method") return;
    const value: unknown = parseToken(this.#token);
    if (key === "id") {
      this.#message.id = isId(value) ? textOfToken(this.#token) : undefined;
    } else {
      this.#message.method = typeof value === "string" ? value : undefined;
    }
  }
}

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d;
}

function endsWord(byte: number): boolean {
  return (
    byte <= 0x20 ||
    byte === QUOTE ||
    byte === COMMA ||
    byte === COLON ||
    isOpening(byte) ||
    isClosing(byte)
  );
}

function isId(value: unknown): boolean {
  return value === null || /^(string|number|bigint)$/.test(typeof value);
}

/** What a token says; `undefined` if it is no JSON. */
function parseToken(token: readonly number[]): unknown {
  try {
    return parseJson(textOfToken(token));
  } catch {
    return undefined;
  }
}

function textOfToken(token: readonly number[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return decoder.decode(Uint8Array.from(token));
}
