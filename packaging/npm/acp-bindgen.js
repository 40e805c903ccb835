#!/usr/bin/env node
// Runs the program of this platform, which is in a package of its own beside this one.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "acp-bindgen.exe" : "acp-bindgen";

function find() {
  try {
    return require.resolve(`@acp-bindgen/${platform}/bin/${file}`);
  } catch {
    console.error(
      `error: there is no program for ${platform} in node_modules\n` +
        `  help: install with optional dependencies, or build it: cargo install acp-bindgen`,
    );
    process.exit(2);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit", windowsHide: true });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  // Ends as the program ended.
  for (const name of signals) {
    process.removeAllListeners(name);
  }
  process.kill(process.pid, signal);
});
