// Reads a stream of events.

import { passed } from "./limits.js";
import { lost } from "./refused.js";

/** An event: a message. */
export interface Event {
  readonly data: string;
  /** How many events of a session's stream came before it. */
  readonly after: number | undefined;
}

/** How many bytes the name of a field may have beside its value. */
const FIELD = 16;

/** Takes the events of a stream from its bytes, whatever the pieces. */
export class EventReader {
  readonly #decoder: TextDecoder = new TextDecoder();
  readonly #limit: number;
  readonly #encoder: TextEncoder = new TextEncoder();
  /** The beginning of a line, and how many bytes that has. */
  #pieces: string[] = [];
  #held = 0;
  /** Whether a character of what is being read is a byte. */
  #isPlain = true;
  #data: string[] = [];
  /** How many bytes the data has. */
  #size = 0;
  #after: number | undefined;
  /** The last comment that was not empty. */
  comment = "";

  /** A message of more bytes than this is an error. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The events that end in these bytes. */
  *receive(bytes: Uint8Array): Generator<Event> {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#isPlain = text.length === bytes.length;
    let start = 0;
    for (;;) {
      const end = text.indexOf("\n", start);
      if (end < 0) break;
      this.#hold(text.slice(start, end));
      start = end + 1;
      let line = this.#pieces.join("");
      if (line.endsWith("\r")) {
        line = line.slice(0, -1);
        this.#held -= 1;
      }
      const event = this.#line(line);
      this.#pieces = [];
      this.#held = 0;
      if (event !== undefined) yield event;
    }
    this.#hold(text.slice(start));
  }

  #hold(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#held += this.#isPlain
      ? piece.length
      : this.#encoder.encode(piece).length;
    this.#check(this.#held + this.#size - FIELD);
  }

  #check(bytes: number): void {
    if (bytes <= this.#limit) return;
    throw lost(passed("body", "a message is too long"));
  }

  #line(line: string): Event | undefined {
    if (line === "") return this.#event();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") {
      // The end of a line is one of its bytes, too.
      this.#size += this.#data.length === 0 ? 0 : 1;
      this.#size += this.#held - (line.length - value.length);
      this.#check(this.#size);
      this.#data.push(value);
    } else if (name === "after" && /^\d{1,15}$/.test(value)) {
      this.#after = Number(value);
    } else if (name === "" && value !== "") {
      this.comment = value;
    }
    return undefined;
  }

  #event(): Event | undefined {
    const data = this.#data;
    const after = this.#after;
    this.#data = [];
    this.#size = 0;
    this.#after = undefined;
    return data.length === 0 ? undefined : { data: data.join("\n"), after };
  }
}
