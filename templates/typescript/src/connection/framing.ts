// From bytes to lines.

/** A line that is no text, or not held as a whole. */
export interface Unreadable {
  /** Whether it is over the limit; else it is no UTF-8. */
  readonly isTooLong: boolean;
  /** Its beginning, as far as that can be read. */
  readonly head: string;
}

/** A line that is not blank: its text, or why there is none. */
export type Line = string | Unreadable;

const NEWLINE = 0x0a;

/** How much is read of a line that is not, in bytes. */
const HEAD = 64 * 1024;

/**
 * Cuts a stream of bytes into lines, whatever the pieces it comes in.
 *
 * Blank lines are passed over. A line over the limit is not held.
 */
export class Framing {
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true });
  readonly #limit: number;
  readonly #take: (line: Line) => void;
  /** The beginning of a line whose end has not come yet. */
  #pieces: Uint8Array[] = [];
  #held = 0;
  #isSkipping = false;

  /** Lines of at most `limit` bytes are given to `take`. */
  constructor(limit: number, take: (line: Line) => void) {
    this.#limit = limit;
    this.#take = take;
  }

  /** Takes what was read. */
  receive(bytes: Uint8Array): void {
    let start = 0;
    if (this.#held > 0 || this.#isSkipping) {
      const end = bytes.indexOf(NEWLINE);
      this.#hold(bytes.subarray(0, end < 0 ? bytes.length : end));
      if (end < 0) return;
      this.#finish();
      start = end + 1;
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > start) this.#lines(bytes.subarray(start, end - 1));
    this.#hold(bytes.subarray(Math.max(start, end)));
  }

  /** There will be no more. A last line without an end counts. */
  end(): void {
    this.#finish();
  }

  /** Keeps the beginning of a line. */
  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isSkipping) return;
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    // One more for a carriage return.
    if (this.#held > this.#limit + 1) {
      const head = together(this.#pieces, Math.min(this.#held, HEAD));
      this.#pieces = [];
      this.#held = 0;
      this.#isSkipping = true;
      this.#take({ isTooLong: true, head: headOf(head) });
    }
  }

  /** Gives the line that was kept. */
  #finish(): void {
    const pieces = this.#pieces;
    const length = this.#held;
    this.#pieces = [];
    this.#held = 0;
    this.#isSkipping = false;
    const [first] = pieces;
    if (first === undefined) return;
    if (pieces.length === 1) {
      this.#line(first);
      return;
    }
    this.#line(together(pieces, length));
  }

  /** Gives lines that are there as a whole, without the end of the last. */
  #lines(bytes: Uint8Array): void {
    // One of them may be over the limit.
    const text =
      bytes.length > this.#limit ? undefined : decodeUtf8(this.#decoder, bytes);
    if (text === undefined) {
      this.#linesOneByOne(bytes);
      return;
    }
    let start = 0;
    for (;;) {
      const end = text.indexOf("\n", start);
      if (end < 0) break;
      this.#text(text.slice(start, end));
      start = end + 1;
    }
    this.#text(text.slice(start));
  }

  #linesOneByOne(bytes: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#line(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#line(bytes.subarray(start));
  }

  #line(bytes: Uint8Array): void {
    if (bytes.length > this.#limit + 1) {
      this.#take({ isTooLong: true, head: headOf(bytes) });
      return;
    }
    const text = decodeUtf8(this.#decoder, bytes);
    if (text === undefined) {
      this.#take({ isTooLong: false, head: headOf(bytes) });
    } else {
      this.#text(text);
    }
  }

  #text(line: string): void {
    // A byte order mark may begin any line.
    const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
    if (text.charCodeAt(0) > 0x20 || text.trim() !== "") this.#take(text);
  }
}

/** The first so many bytes of pieces. */
function together(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece.subarray(0, length - at), at);
    at = Math.min(at + piece.length, length);
  }
  return whole;
}

/** The beginning of a line as text, whatever it is. */
function headOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, HEAD));
}

/** The bytes as text, or `undefined` if they are no UTF-8. */
function decodeUtf8(
  decoder: TextDecoder,
  bytes: Uint8Array,
): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
