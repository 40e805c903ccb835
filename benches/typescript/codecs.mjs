// Decodes messages with the generated codecs and with the schemas of the official SDK, in one run.
//
// usage: node codecs.mjs FOLDER [ROUNDS], the folder with `typescript/` and `official/`.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, rounds = "9"] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(folder, path)));

const start = performance.now();
const { SessionNotificationCodec: ours, parseJson } = await load("typescript/dist/index.js");
const ourImport = performance.now() - start;
const { zSessionNotification: theirs } = await load("official/dist/v1/schema/zod.gen.js");

const COUNT = 100_000;

/** A text chunk of 200 bytes, as agents send it. */
function chunk(index) {
  const prose = "The quick brown fox jumps over the lazy dog, then writes a test. ";
  const message = (text) =>
    JSON.stringify({
      sessionId: "sess_abc123def456",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });
  const text = `${index} ${prose.repeat(4)}`;
  return message(text.slice(0, 200 - message("").length));
}

/** A tool call of about 4 KB, most of it in fields that are forgiven when malformed. */
function toolCall(index) {
  const line = '    let value = compute(&input, "key")?;\n';
  return JSON.stringify({
    sessionId: "sess_abc123def456",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: `call_${index}`,
      title: "Edit src/main.rs",
      kind: "edit",
      status: "in_progress",
      content: [
        { type: "content", content: { type: "text", text: "Changing how values are made." } },
        { type: "diff", path: "/src/main.rs", oldText: line.repeat(35), newText: line.repeat(36) },
      ],
      locations: [{ path: "/src/main.rs", line: 42 }],
      rawInput: { path: "/src/main.rs", edits: [{ start: 40, end: 75, replace: true }] },
    },
  });
}

/** The shortest time that each function took, in rounds in which all take their turn. */
function fastest(functions) {
  const best = Object.fromEntries(Object.keys(functions).map((name) => [name, Infinity]));
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const [name, run] of Object.entries(functions)) {
      const start = performance.now();
      run();
      best[name] = Math.min(best[name], performance.now() - start);
    }
  }
  return best;
}

function compare(what, texts) {
  const values = texts.map((text) => JSON.parse(text));
  const best = fastest({
    "JSON.parse": () => texts.forEach((text) => JSON.parse(text)),
    "our parse and decode": () => texts.forEach((text) => ours.decode(parseJson(text))),
    "our decode": () => values.forEach((value) => ours.decode(value)),
    "JSON.parse and zod": () => texts.forEach((text) => theirs.parse(JSON.parse(text))),
    zod: () => values.forEach((value) => theirs.parse(value)),
  });
  console.log(`${texts.length} ${what}`);
  for (const [name, time] of Object.entries(best)) {
    const each = (time * 1e6) / texts.length;
    console.log(`  ${name.padEnd(26)} ${time.toFixed(1).padStart(8)} ms ${each.toFixed(0).padStart(8)} ns each`);
  }
  const ratio = (of, to) => (best[of] / best[to]).toFixed(2);
  console.log(`  ${ratio("zod", "our decode")} times as fast as zod`);
  console.log(`  ${ratio("JSON.parse and zod", "our parse and decode")} times, parsing included`);
  console.log(`  ${ratio("JSON.parse", "our parse and decode")} times the speed of JSON.parse, parsing included`);
}

console.log(`import: ${ourImport.toFixed(1)} ms`);
compare("text chunks", Array.from({ length: COUNT }, (_, index) => chunk(index)));
compare("tool calls", Array.from({ length: COUNT / 20 }, (_, index) => toolCall(index)));
