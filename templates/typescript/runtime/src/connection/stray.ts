// Lines that are no messages: what programs print beside those.

/** How many of the last lines are kept, and how much of each is shown. */
const LAST_LINES = 20;
const SHOWN = 200;

/** One escape sequence of a terminal or more, and the space after them. */
const [ESCAPE, BELL] = ["\u001b", "\u0007"];
const ENDS = `(?:${BELL}|${ESCAPE}\\\\)`;
const ESCAPES: RegExp = new RegExp(
  `^(?:${ESCAPE}(?:\\[[ -?]*[0-~]|[\\]PX^_][^${BELL}${ESCAPE}]*${ENDS}|[ -/]*[0-OQ-WYZ\\\\\`-~])[\\t\\r\\f ]*)+`,
);

/** What stands behind escape sequences, if a line begins with any. */
export function behindEscapes(line: string): string | undefined {
  const escapes = ESCAPES.exec(line)?.[0];
  return escapes === undefined ? undefined : line.slice(escapes.length);
}

/**
 * The beginning of a line, for people: without what would control a terminal.
 */
export function shown(line: string): string {
  // A character has two units at most.
  const characters = Array.from(line.slice(0, 2 * (SHOWN + 1)));
  const start = characters.slice(0, SHOWN).join("");
  const harmless = start.replace(/\p{Cc}/gu, " ");
  return characters.length > SHOWN ? `${harmless}…` : harmless;
}

/** Takes lines that are no messages, and keeps the last. */
export class Strays {
  readonly #take: ((line: string) => void) | undefined;
  readonly #last: string[] = [];

  constructor(take: ((line: string) => void) | undefined) {
    this.#take = take;
  }

  /** Takes a line. Whoever wants it harms nobody by throwing. */
  take(line: string): void {
    this.#last.push(shown(line));
    if (this.#last.length > LAST_LINES) this.#last.shift();
    try {
      this.#take?.(line);
    } catch {
      // It is the business of whoever throws.
    }
  }

  /** The last lines, each after a line break. */
  get lastWords(): string {
    return this.#last.map((line) => `\n${line}`).join("");
  }
}
