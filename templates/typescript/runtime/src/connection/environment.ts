// What the environment of a program wants of its connections.

import type { ConnectionOptions, Log } from "./options.js";

/** Adds a text to the end of a file. */
type Append = (path: string, text: string) => void;

/** What is used here of platforms that have environments and files. */
interface Platform {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly stderr?: { write(text: string): unknown };
    getBuiltinModule?(name: "node:fs"): { readonly appendFileSync?: Append };
  };
  readonly Deno?: {
    readonly permissions: {
      querySync(wanted: { name: "env"; variable: string }): {
        readonly state: string;
      };
    };
  };
}

/**
 * The log that was chosen, or else the one that a variable of the environment
 * wants. `append` is for platforms that have files only by an import.
 *
 * @internal
 */
export function chosenLog(
  log: ConnectionOptions["log"],
  variable: string,
  append?: Append,
): Log | boolean | undefined {
  if (typeof log === "string") return recordsTo(log, append, "log");
  return log ?? environmentLog(variable, append);
}

/** The log that the environment wants, where there is an environment. */
function environmentLog(
  variable: string,
  append: Append | undefined,
): Log | undefined {
  const { process, Deno } = globalThis as unknown as Platform;
  const allowed = { name: "env", variable } as const;
  // Deno would ask its user.
  const state = Deno?.permissions.querySync(allowed).state ?? "granted";
  const path = state === "granted" ? process?.env?.[variable] : undefined;
  return path === undefined || path === ""
    ? undefined
    : recordsTo(path, append, variable);
}

/**
 * Appends records to a file, or writes them to standard error where the path is
 * `stderr`. What fails is told once, in a line that begins with who wants the
 * log, and nothing more is logged.
 */
function recordsTo(
  path: string,
  append: Append | undefined,
  whose: string,
): Log {
  const { process } = globalThis as unknown as Platform;
  const toFile =
    append ?? process?.getBuiltinModule?.("node:fs").appendFileSync;
  let isBroken = false;
  return (record) => {
    if (isBroken) return;
    const line = `${record}\n`;
    try {
      if (path === "stderr") process?.stderr?.write(line);
      else if (toFile !== undefined) toFile(path, line);
      else throw new Error("files are only there by what is imported for Node");
    } catch (error) {
      isBroken = true;
      console.error(`${whose}: ${path}: ${systemReason(error)}`);
    }
  };
}

/** What the system says, as other languages say it: without its code and call. */
function systemReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reason = /^E[A-Z0-9]+: (.*), \w+( '.*')?$/su.exec(text)?.[1] ?? text;
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
