// Logs of what passes connections.

import { appendFileSync } from "node:fs";

import type { ConnectionOptions, Log } from "../connection.js";

/** The environment variable that has connections logged. */
const LOG_VARIABLE = "PACKAGE_LOG";

/**
 * Appends records of messages to a file, or writes them to standard error where
 * the path is `stderr`: for the option `log`.
 */
export function logTo(path: string): Log {
  let isBroken = false;
  return (record) => {
    if (isBroken) return;
    try {
      if (path === "stderr") process.stderr.write(`${record}\n`);
      else appendFileSync(path, `${record}\n`);
    } catch (error) {
      isBroken = true;
      console.error(`nothing is logged to ${path}:`, error);
    }
  };
}

/**
 * What the environment wants to be logged.
 *
 * @internal
 */
export function defaultLog(): ConnectionOptions["log"] {
  const wanted = process.env[LOG_VARIABLE];
  if (wanted === undefined || wanted === "") return undefined;
  return wanted === "debug" ? true : logTo(wanted);
}
