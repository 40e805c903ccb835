// Judges pages with axe: as they are opened, and with all details open; narrow and wide; light and
// dark. Prints what it finds fault with as JSON.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Page } from "../docs/chromium.mjs";

const [program, profile, folder, axe, ...names] = process.argv.slice(2);
const script = readFileSync(axe, "utf8");
const page = await Page.open(program, profile);
const found = [];
let passed = 0;

// Two looks tell of a long page what four do.
const looks = [
  ["light", 390],
  ["dark", 1280],
  ["light", 1280],
  ["dark", 390],
];

for (const argument of names) {
  const [name, count = looks.length] = argument.split(":");
  for (const [scheme, width] of looks.slice(0, count)) {
    await page.look(width, 900, scheme);
    await page.go(pathToFileURL(join(folder, name)).href);
    await page.value(`${script}; undefined`);
    for (const state of ["closed", "open"]) {
      if (state === "open") {
        await page.value(
          "for (const each of document.querySelectorAll('details')) each.open = true",
        );
        await page.settled();
      }
      const options = '{ resultTypes: ["violations", "passes"] }';
      const result =
        await page.value(`axe.run(document, ${options}).then(({ violations, passes }) => ({
          passes: passes.length,
          violations: violations.flatMap(({ id, nodes }) =>
            nodes.slice(0, 3).map((node) => [id, node.target.join(" "), node.failureSummary].join(": "))),
        }))`);
      passed += result.passes;
      found.push(
        ...result.violations.map((fault) => `${name}, ${scheme}, ${width}, ${state}: ${fault}`),
      );
    }
  }
}
await page.close();
console.log(JSON.stringify({ found, passed }));
