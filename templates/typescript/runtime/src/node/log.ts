// Logs of what passes connections.

import { appendFileSync } from "node:fs";

import { chosenLog, type ConnectionOptions, type Log } from "../connection.js";

/**
 * The log that was chosen, or else that of the environment, also where files are
 * there only by an import.
 *
 * @internal
 */
export function nodeLog(
  log: ConnectionOptions["log"],
  variable: string,
): Log | boolean | undefined {
  return chosenLog(log, variable, appendFileSync);
}
