// Packs what goes to npm, as tarballs in a folder.
//
//   node pack.mjs OUT                     the package `acp-bindgen`, which only finds the program
//   node pack.mjs OUT PLATFORM PROGRAM    the package of a platform, with the program
//
// PLATFORM is a key of platforms.json. The version and all that is said of the packages is that of
// Cargo.toml.

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const platforms = JSON.parse(readFileSync(join(here, "platforms.json"), "utf8"));
const [out, platform, program] = process.argv.slice(2);

/** What Cargo.toml says of the crate. */
function crate() {
  const options = ["metadata", "--no-deps", "--offline", "--format-version=1"];
  const { packages } = JSON.parse(execFileSync("cargo", options, { cwd: root, encoding: "utf8" }));
  return packages[0];
}

const { version, description, keywords, license } = crate();
const about = { version, license };

/** The package that users install. */
function launcher(folder) {
  cpSync(join(here, "acp-bindgen.js"), join(folder, "bin/acp-bindgen.js"));
  cpSync(join(root, "packaging/README.md"), join(folder, "README.md"));
  const names = Object.keys(platforms).map((name) => [`@acp-bindgen/${name}`, version]);
  return {
    name: "acp-bindgen",
    ...about,
    description,
    keywords,
    bin: { "acp-bindgen": "bin/acp-bindgen.js" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(names),
  };
}

/** The package of a platform, which npm installs there only. */
function native(folder) {
  const [os, cpu] = platform.split("-");
  const file = os === "win32" ? "acp-bindgen.exe" : "acp-bindgen";
  cpSync(program, join(folder, "bin", file));
  chmodSync(join(folder, "bin", file), 0o755);
  const text = `# @acp-bindgen/${platform}\n\nThe program of \`acp-bindgen\` for ${platform}. Install \`acp-bindgen\`.\n`;
  writeFileSync(join(folder, "README.md"), text);
  const target = platforms[platform];
  return { name: `@acp-bindgen/${platform}`, ...about, description: `acp-bindgen for ${target}`, os: [os], cpu: [cpu] };
}

if (out === undefined || (platform !== undefined && (!(platform in platforms) || program === undefined))) {
  console.error(`usage: pack.mjs OUT [PLATFORM PROGRAM]\nplatforms: ${Object.keys(platforms).join(", ")}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "acp-bindgen-npm-"));
try {
  mkdirSync(join(folder, "bin"));
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    cpSync(join(root, name), join(folder, name));
  }
  const manifest = platform === undefined ? launcher(folder) : native(folder);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(out, { recursive: true });
  const options = ["pack", "--silent", "--pack-destination", resolve(out)];
  const windows = process.platform === "win32";
  execFileSync("npm", options, { cwd: folder, stdio: ["ignore", "inherit", "inherit"], shell: windows });
} finally {
  rmSync(folder, { recursive: true });
}
