// Processes at the other end.

import {
  type ChildProcess,
  spawn as start,
  type SpawnOptions,
} from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";

import { ConnectionError, type Pipe, type Stream } from "../connection.js";
import { NodePipe, NodeStream } from "./streams.js";

/** Choices about a process. */
export interface ProcessOptions extends Omit<SpawnOptions, "stdio"> {
  /**
   * What becomes of what the process writes to standard error: it goes to this
   * process's, is kept for the error when the connection is lost, is also given
   * as the stream `stderr`, which then has to be read, or is thrown away.
   *
   * @default "inherit"
   */
  readonly stderr?: "inherit" | "capture" | "pipe" | "ignore";
  /** Variables of the environment beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * How long the process may take to end by itself once its input has ended, in
   * milliseconds, and how long again once it was told to.
   *
   * @default 2000
   */
  readonly grace?: number;
}

/** How a process ended. */
export interface ExitStatus {
  /** Its exit code, unless a signal killed it or it never began. */
  readonly code: number | null;
  /** The signal that killed it. */
  readonly signal: NodeJS.Signals | null;
}

/** A process whose standard input and output are a connection. */
export interface ProcessStream extends Stream {
  readonly process: ChildProcess;
  /** Its id, if it could be started. */
  readonly pid: number | undefined;
  /** What it writes to standard error, with the option `stderr: "pipe"`. */
  readonly stderr: Readable | undefined;
  /** How it ended, if it has. */
  readonly status: ExitStatus | undefined;
  /** Resolves once it has ended. */
  readonly exited: Promise<ExitStatus>;
  /** Terminates the process, and what it has started. */
  readonly dispose: () => void;
}

/**
 * Starts a process, and connects over its standard input and output.
 *
 * Once the connection has ended, its input ends, so that it can end by itself.
 * A process that goes on is terminated after a time of grace, and after another
 * one killed; but on Windows, so is all that it has started. It leads a group
 * (and session) of its own, so that Ctrl-C in a terminal does not reach it; it is
 * terminated when this program exits.
 */
export function spawn(
  command: string,
  parameters: readonly string[] = [],
  options: ProcessOptions = {},
): ProcessStream {
  const { stderr = "inherit", grace = 2000, env, ...others } = options;
  const isRead = stderr === "capture" || stderr === "pipe";
  const { detached = process.platform !== "win32" } = others;
  const child = start(command, parameters, {
    ...others,
    // Signals for it then reach what it starts as well.
    detached,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", isRead ? "pipe" : stderr],
  });
  const { cwd, shell } = others;
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new TypeError("no pipes");
  const streams = { stdin, stdout, stderr };
  const group = new ProcessGroup(child, detached);
  const choices = { grace, command, cwd, shell };
  return new ProcessEnd({ child, group, ...streams, ...choices });
}

/** A process that was started. */
interface Started {
  readonly child: ChildProcess;
  readonly group: ProcessGroup;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: ProcessOptions["stderr"];
  readonly grace: number;
  readonly command: string;
  readonly cwd: SpawnOptions["cwd"];
  readonly shell: SpawnOptions["shell"];
}

/** How long a process whose output has ended may take to end, too. */
const SETTLING = 500;

/** How much is kept of what a process writes to standard error. */
const LAST_BYTES = 4096;
const LAST_LINES = 20;

/** How often is looked whether what a process has started is gone, in milliseconds. */
const LOOK = 50;

/** The groups that are to be ended when this program exits. */
const GROUPS: Set<ProcessGroup> = new Set();

/** Ends all groups. */
function endGroups(): void {
  for (const group of GROUPS) group.send("SIGTERM");
}

/** A process, and what it has started if it leads a group. */
export class ProcessGroup {
  readonly #child: ChildProcess;
  readonly #isLed: boolean;
  /** Its number may be another's once nothing of it is left. */
  #isLeft: boolean;

  constructor(child: ChildProcess, isLed: boolean) {
    this.#child = child;
    this.#isLed = isLed && process.platform !== "win32";
    this.#isLeft = child.pid !== undefined;
    if (!this.#isLeft) return;
    if (GROUPS.size === 0) process.on("exit", endGroups);
    GROUPS.add(this);
    child.once("exit", () => this.send(0));
  }

  /** Sends a signal to all of it. Says whether there was anyone to get it. */
  send(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (!this.#isLeft || pid === undefined) return false;
    try {
      if (this.#isLed) process.kill(-pid, signal);
      else this.#isLeft = this.#child.kill(signal);
    } catch {
      this.#isLeft = false;
    }
    if (!this.#isLeft) this.forget();
    return this.#isLeft;
  }

  /** Sends no more signals. */
  forget(): void {
    this.#isLeft = false;
    if (GROUPS.delete(this) && GROUPS.size === 0) {
      process.off("exit", endGroups);
    }
  }

  /** Ends all of it: tells it to, and kills what goes on for longer than this. */
  async end(ms: number, exited: Promise<unknown>): Promise<void> {
    if (this.send("SIGTERM")) {
      await this.gone(ms);
      this.send("SIGKILL");
    }
    await within(ms, exited);
  }

  /** Waits until nothing of it is left, but not longer than this. */
  async gone(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (this.send(0) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }
}

class ProcessEnd extends NodeStream implements ProcessStream {
  readonly isStarted = true;
  readonly process: ChildProcess;
  readonly stderr: Readable | undefined;
  readonly exited: Promise<ExitStatus>;
  readonly #started: Started;
  /** Resolves once it has ended, and what it wrote was read. */
  readonly #over: Promise<unknown>;
  #status: ExitStatus | undefined;
  #error: Error | undefined;
  #last: Buffer = Buffer.alloc(0);

  constructor(started: Started) {
    const { child, stdin, stdout, stderr } = started;
    super(stdout, stdin);
    this.process = child;
    this.#started = started;
    child.stderr?.on("data", (bytes: Buffer) => {
      this.#last = Buffer.concat([this.#last, bytes]).subarray(-LAST_BYTES);
    });
    if (stderr === "pipe") this.stderr = child.stderr?.pipe(new PassThrough());
    this.#over = new Promise((resolve) => child.once("close", resolve));
    this.exited = new Promise((resolve) => {
      const exit: (
        ...how: [ExitStatus["code"], ExitStatus["signal"]]
      ) => void = (code, signal) => {
        this.#status = { code, signal };
        resolve(this.#status);
      };
      child.once("exit", exit);
      child.on("error", (error) => {
        if (child.pid !== undefined) return;
        this.#error = error;
        exit(null, null);
        // One that cannot be started ends its streams, too.
        stdout.destroy(error);
      });
    });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get status(): ExitStatus | undefined {
    return this.#status;
  }

  override get pipe(): Pipe {
    const { stdin, stdout, grace } = this.#started;
    const pipe = new ProcessPipe(stdout, stdin, (what) => this.#end(what));
    // What it has started may have its output, and keep it open.
    void this.exited.then(() => {
      if (stdout.destroyed) return;
      const late = setTimeout(() => {
        pipe.over();
      }, grace);
      stdout.once("close", () => {
        clearTimeout(late);
      });
    });
    return pipe;
  }

  dispose = (): void => {
    this.#started.group.send("SIGTERM");
  };

  /** Has the process end, once everything was written. */
  async finish(written: Promise<void>): Promise<void> {
    const { child, group, stdin, stdout, grace } = this.#started;
    await within(grace, written);
    stdin.destroy();
    await within(grace, this.exited);
    await group.end(grace, this.exited);
    group.forget();
    // What it started itself may have them, too.
    stdout.destroy();
    child.stderr?.destroy();
  }

  /** Its program, without what else stands in the line of a shell. */
  get #program(): string {
    const { command, shell } = this.#started;
    const isLine = shell !== undefined && shell !== false;
    return (isLine && /\S+/.exec(command)?.[0]) || command;
  }

  /** Why nothing more comes, once that is known, or else this. */
  async #end(otherwise: string): Promise<ConnectionError> {
    const { cwd } = this.#started;
    const cause = this.#error;
    if (cause !== undefined) {
      const reason = missing(cause, cwd) ?? cause.message;
      const message = `connection closed: ${this.#program} cannot be started: ${reason}`;
      return new ConnectionError("closed", message, { cause });
    }
    await within(SETTLING, this.#over);
    const { code, signal } = this.#status ?? {};
    const how = signal ? `killed by ${signal}` : `exit code ${String(code)}`;
    const ended = this.#status === undefined ? otherwise : how;
    const last = this.#last.toString().trimEnd().split("\n").slice(-LAST_LINES);
    const said = this.#last.length === 0 ? "" : `\n${last.join("\n")}`;
    const message = `connection closed: ${basename(this.#program)}: ${ended}${said}`;
    return new ConnectionError("closed", message);
  }
}

/** Says that a folder does not exist, if a process did not begin for that. */
export function missing(
  error: Error,
  cwd: SpawnOptions["cwd"],
): string | undefined {
  if (cwd === undefined || !("code" in error) || error.code !== "ENOENT") {
    return undefined;
  }
  return existsSync(cwd)
    ? undefined
    : `the folder ${String(cwd)} does not exist`;
}

/** Over the streams of a process. */
class ProcessPipe extends NodePipe {
  readonly #end: (otherwise: string) => Promise<ConnectionError>;
  #ended: ((failure: ConnectionError) => void) | undefined;

  constructor(
    stdout: Readable,
    stdin: Writable,
    end: (otherwise: string) => Promise<ConnectionError>,
  ) {
    super(stdout, stdin);
    this.#end = end;
  }

  override read(
    take: (bytes: Uint8Array) => void,
    end: (failure?: unknown) => void,
  ): void {
    this.#ended = end;
    super.read(take, () => {
      this.over();
    });
  }

  /** Takes note that nothing more comes. */
  over(): void {
    void this.#end("its output ended").then(this.#ended);
  }

  override async write(text: string): Promise<void> {
    try {
      await super.write(text);
    } catch {
      throw await this.#end("its input ended");
    }
  }

  /** What it still says is thrown away, so that it can end. */
  override cancel(): void {
    this.resume();
  }
}

/** Whether something happens within so many milliseconds. */
export async function within(
  ms: number,
  event: Promise<unknown>,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const done = event.then(
    () => true,
    () => true,
  );
  const isDone = await Promise.race([done, late]);
  clearTimeout(timer);
  return isDone;
}
