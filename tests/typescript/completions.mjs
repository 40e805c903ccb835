// Asks TypeScript's language service, as an editor does, what it offers at each `/*|*/` below, and
// fails unless every known value is among it.
//
// usage: node completions.mjs PATH_TO_TYPESCRIPT, in the folder with `acp-v2/`.

import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const { default: ts } = await import(pathToFileURL(resolve(process.argv[2], "lib/typescript.js")).href);

const cases = [
  {
    what: "the tags of an open union",
    text: `import type { ContentBlock } from "acp-v2"; const x: ContentBlock = { type: "/*|*/" };`,
    offered: ["text", "image", "audio", "resource_link", "resource"],
  },
  {
    what: "the tags of an open union in a switch",
    text: `import type { ContentBlock } from "acp-v2"; export function f(x: ContentBlock) { switch (x.type) { case "/*|*/": } }`,
    offered: ["text", "image", "audio", "resource_link", "resource"],
  },
  {
    what: "the values of an open enum",
    text: `import type { ToolKind } from "acp-v2"; const x: ToolKind = "/*|*/";`,
    offered: ["read", "edit", "delete", "search", "switch_mode", "other"],
  },
  {
    what: "the properties of the variant with this tag",
    text: `import type { ContentBlock } from "acp-v2"; const x: ContentBlock = { type: "text", /*|*/ };`,
    offered: ["text", "annotations", "_meta"],
    not: ["data", "uri"],
  },
  {
    what: "the properties after narrowing",
    text: `import type { ContentBlock } from "acp-v2"; export function f(x: ContentBlock) { if (x.type === "text") x./*|*/ }`,
    offered: ["type", "text", "annotations", "_meta"],
    not: ["data", "uri"],
  },
  {
    what: "the constants of an enum",
    text: `import { ToolKind } from "acp-v2"; const x = ToolKind./*|*/`,
    offered: ["Read", "SwitchMode"],
  },
];

const { options } = ts.parseJsonConfigFileContent(
  ts.parseConfigFileTextToJson("tsconfig.json", readFileSync("tsconfig.json", "utf8")).config,
  ts.sys,
  ".",
);
const files = new Map(cases.map(({ text }, index) => [resolve(`case${index}.ts`), text]));
const read = (path) => files.get(path) ?? ts.sys.readFile(path);
const service = ts.createLanguageService({
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  readDirectory: ts.sys.readDirectory,
  getCompilationSettings: () => options,
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [...files.keys()],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = read(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
  readFile: read,
});

let failed = false;
cases.forEach(({ what, text, offered, not = [] }, index) => {
  const found = service.getCompletionsAtPosition(resolve(`case${index}.ts`), text.indexOf("/*|*/"), {});
  const names = new Set(found?.entries.map((entry) => entry.name));
  const missing = offered.filter((name) => !names.has(name));
  const extra = not.filter((name) => names.has(name));
  if (missing.length || extra.length) {
    failed = true;
    console.error(`${what}: missing [${missing}], unexpected [${extra}]`);
  }
});
process.exit(failed ? 1 : 0);
