// Logs of what passes connections.

import { appendFileSync } from "node:fs";

import { environmentLog, type Log, recordsTo } from "../connection.js";

/**
 * Appends records of messages to a file, or writes them to standard error where
 * the path is `stderr`: for the option `log`.
 */
export function logTo(path: string): Log {
  return recordsTo(path, appendFileSync, "logTo");
}

/**
 * What the environment wants to be logged, also where files are there only by
 * an import.
 *
 * @internal
 */
export function defaultLog(): Log | undefined {
  return environmentLog(appendFileSync);
}
