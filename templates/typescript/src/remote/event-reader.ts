// Reads a stream of events.

/** An event: a message. */
export interface Event {
  readonly data: string;
  /** How many events of a session's stream came before it. */
  readonly after: number | undefined;
}

/** Takes the events of a stream from its bytes, whatever the pieces. */
export class EventReader {
  readonly #decoder: TextDecoder = new TextDecoder();
  readonly #limit: number;
  #pieces: string[] = [];
  #held = 0;
  #data: string[] = [];
  #size = 0;
  #after: number | undefined;
  /** The last comment that was not empty. */
  comment = "";

  /** A message of more characters than this is an error. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The events that end in these bytes. */
  *receive(bytes: Uint8Array): Generator<Event> {
    const text = this.#decoder.decode(bytes, { stream: true });
    let start = 0;
    for (;;) {
      const end = text.indexOf("\n", start);
      if (end < 0) break;
      this.#hold(text.slice(start, end));
      start = end + 1;
      const line = this.#pieces.join("");
      this.#pieces = [];
      this.#held = 0;
      const event = this.#line(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (event !== undefined) yield event;
    }
    this.#hold(text.slice(start));
  }

  #hold(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held + this.#size > this.#limit + 16) {
      throw new Error("a message is too long (limit `body`)");
    }
  }

  #line(line: string): Event | undefined {
    if (line === "") return this.#event();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") {
      this.#data.push(value);
      this.#size += value.length;
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
