// Finds values in JSON text as they are spelled. The text has been parsed
// before, so that it is known to be JSON. Nothing here recurses.

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

/** The text of a member of an object; of the last one, if it is there twice. */
export function member(object: string, name: string): string | undefined {
  let found: string | undefined;
  each(object, (key, from, to) => {
    if (key === name) found = object.slice(from, to);
  });
  return found;
}

/** How many bytes a text takes that has no half of a surrogate pair. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    const isShort = code < 0x800 || (code >= 0xd800 && code < 0xe000);
    length += isShort ? 1 : 2;
  }
  return length;
}

/** The texts of the items of an array. */
export function items(array: string): string[] {
  const found: string[] = [];
  each(array, (_, from, to) => found.push(array.slice(from, to)));
  return found;
}

/** Visits what an object or an array consists of. Of anything else, nothing. */
function each(
  text: string,
  visit: (key: string | undefined, from: number, to: number) => void,
): void {
  let at = space(text, 0);
  const isObject = text[at] === "{";
  if (!isObject && text[at] !== "[") return;
  at = space(text, at + 1);
  while (at < text.length && text[at] !== "]" && text[at] !== "}") {
    let key: string | undefined;
    if (isObject) {
      const to = end(text, at);
      key = String(JSON.parse(text.slice(at, to)));
      at = space(text, space(text, to) + 1);
    }
    const to = end(text, at);
    visit(key, at, to);
    at = space(text, to);
    if (text[at] === ",") at = space(text, at + 1);
  }
}

/** Where the next thing that is not white space begins. */
function space(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

/** Where a value ends. */
function end(text: string, from: number): number {
  let at = from;
  let depth = 0;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      at += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      at += 1;
    } else if (depth > 0) {
      at += 1;
    } else {
      at = endOfScalar(text, at);
    }
  } while (depth > 0 && at < text.length);
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}

function endOfScalar(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === "," || character === "}" || character === "]") break;
    if (text.charCodeAt(at) <= 0x20) break;
    at += 1;
  }
  return at;
}
