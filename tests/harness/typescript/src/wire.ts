// Decodes messages by the names of their types, and encodes them again.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as acp from "acp";

const exported = acp as unknown as Record<string, unknown>;

/** The codec of a type by its name in the schema. */
function codecOf(name: string): acp.Codec<unknown> {
  // A type with the name of a global one gets a suffix.
  const found = exported[`${name}Codec`] ?? exported[`${name}TypeCodec`];
  if (found === undefined) throw new Error(`there is no type \`${name}\``);
  return found as acp.Codec<unknown>;
}

interface Message {
  type: string;
  value: unknown;
  /** Instead of a value, its text. */
  text?: string;
}

/** What is answered to a line. */
function answer(line: string, options: acp.DecodeOptions): unknown {
  try {
    const { type, text, ...message } = acp.parseJson(line) as Message;
    const codec = codecOf(type);
    const value = text === undefined ? message.value : acp.parseJson(text);
    return { ok: true, value: codec.encode(codec.decode(value, options)) };
  } catch (error) {
    const path = error instanceof acp.DecodeError ? error.path : "";
    return { ok: false, path, error: String(error) };
  }
}

/** Answers each line on standard input with one on standard output. */
async function answers(options: acp.DecodeOptions): Promise<void> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    process.stdout.write(`${JSON.stringify(answer(line, options))}\n`);
  }
}

/** Decodes all lines of a file so many times, and prints how many messages that makes a second. */
function bench(times: number, file: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const messages = lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { type, value } = JSON.parse(line) as Message;
      return { codec: codecOf(type), text: JSON.stringify(value) };
    });
  const start = performance.now();
  for (let time = 0; time < times; time += 1) {
    for (const { codec, text } of messages) codec.decode(acp.parseJson(text));
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(((times * messages.length) / seconds).toFixed(0));
}

const [first, ...rest] = process.argv.slice(2);
if (first === undefined) {
  await answers({});
} else if (first === "--strict" && rest.length === 0) {
  await answers({ strict: true });
} else if (first === "--bench" && rest.length === 2) {
  bench(Number(rest[0]), String(rest[1]));
} else {
  console.error("usage: wire [--strict | --bench N FILE]");
  process.exitCode = 2;
}
