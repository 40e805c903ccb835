// From bytes to lines.

/** A line that is no UTF-8. */
export interface NoText {
  readonly type: "no-text";
  readonly bytes: Uint8Array;
}

/** A piece of a line over the limit, which is not held. */
export interface Excess {
  readonly type: "excess";
  readonly piece: Uint8Array;
  /** Whether the line ends here. */
  readonly isLast: boolean;
}

/** A line that is not blank: its text, or why there is none. */
export type Line = string | NoText | Excess;

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, whatever the pieces it comes in.
 *
 * Blank lines are passed over. A line over the limit is not held.
 */
export class Framing {
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", {
    fatal: true,
    ignoreBOM: true,
  });
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
    if (bytes.length === 0) return;
    if (this.#isSkipping) {
      this.#take({ type: "excess", piece: bytes, isLast: false });
      return;
    }
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    // One more for a carriage return.
    if (this.#held <= this.#limit + 1) return;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#held = 0;
    this.#isSkipping = true;
    for (const piece of pieces) {
      this.#take({ type: "excess", piece, isLast: false });
    }
  }

  /** Gives the line that was kept. */
  #finish(): void {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      this.#take({ type: "excess", piece: new Uint8Array(0), isLast: true });
      return;
    }
    const pieces = this.#pieces;
    const length = this.#held;
    this.#pieces = [];
    this.#held = 0;
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
      this.#take({ type: "excess", piece: bytes, isLast: true });
      return;
    }
    const text = decodeUtf8(this.#decoder, bytes);
    if (text === undefined) this.#take({ type: "no-text", bytes });
    else this.#text(text);
  }

  #text(line: string): void {
    // A byte order mark may begin any line.
    const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
    if (text.charCodeAt(0) > 0x20 || /[^ \t\r\f]/.test(text)) this.#take(text);
  }
}

/** All bytes of pieces. */
function together(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
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
