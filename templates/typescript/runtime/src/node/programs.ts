// Programs that run for the other end of a connection.

import { spawn as start } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";

import { RequestError } from "../connection/request-error.js";
import { type ExitStatus, missing, ProcessGroup, within } from "./process.js";

/** Limits of programs that run for the other end. */
export interface ProgramOptions {
  /**
   * How many may be open at a time: started and not given back.
   *
   * @default 64
   */
  readonly maxOpen?: number;
  /**
   * How much is kept of what one writes, in bytes, if the other end does not say.
   *
   * @default 1048576
   */
  readonly outputLimit?: number;
  /**
   * How much is kept at most, whatever the other end says.
   *
   * @default 8388608
   */
  readonly maxOutputLimit?: number;
  /**
   * How long one may take to end once it is told to before it is killed, in
   * milliseconds.
   *
   * @default 2000
   */
  readonly grace?: number;
}

/** What is to be started. */
export interface ProgramStart {
  readonly command: string;
  readonly args?: readonly string[] | null | undefined;
  /** Variables of the environment beside those of this process. */
  readonly env?: readonly (readonly [string, string])[] | null | undefined;
  readonly cwd?: string | null | undefined;
  /** How much is kept of what it writes, in bytes. */
  readonly limit?: number | bigint | null | undefined;
}

/** What says that a request was cancelled: the context of its handler. */
export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** What a program has written so far. */
export interface ProgramOutput {
  /** The end of it. */
  readonly text: string;
  /** Whether the beginning is lost. */
  readonly isTruncated: boolean;
  /** How it ended, if it has. */
  readonly exit: ExitStatus | undefined;
}

/** How long the output of a program that has ended is waited for. */
const LAST_OUTPUT = 500;

/** How large the parts are that a text is kept in, in bytes. */
const PART = 1 << 16;

/** The end of a text. */
class KeptText {
  isTruncated = false;
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    if (text === "") return;
    let bytes = Buffer.from(text);
    this.#size += bytes.length;
    const last = this.#parts.at(-1);
    if (last !== undefined && last.length + bytes.length <= PART) {
      bytes = Buffer.concat([last, bytes]);
      this.#parts.pop();
    }
    this.#parts.push(bytes);
    this.isTruncated ||= this.#size > this.#limit;
    let first = this.#parts[0];
    while (first !== undefined && this.#size - first.length >= this.#limit) {
      this.#size -= first.length;
      this.#parts.shift();
      first = this.#parts[0];
    }
  }

  /** What is kept. It begins with a character. */
  toString(): string {
    const bytes = Buffer.concat(this.#parts);
    let begin = Math.max(0, bytes.length - this.#limit);
    while (((bytes[begin] ?? 0) & 0xc0) === 0x80) begin += 1;
    return bytes.toString("utf8", begin);
  }
}

/** A program that was started. */
class Program {
  readonly scope: readonly string[];
  /** Resolves once it has ended, and what it wrote was read. */
  readonly over: Promise<ExitStatus>;
  readonly #group: ProcessGroup;
  readonly #exited: Promise<ExitStatus>;
  readonly #streams: readonly Readable[];
  readonly #text: KeptText;
  #exit: ExitStatus | undefined;

  constructor(
    scope: readonly string[],
    child: ReturnType<typeof start>,
    limit: number,
  ) {
    this.scope = scope;
    this.#group = new ProcessGroup(child, process.platform !== "win32");
    this.#text = new KeptText(limit);
    const { stdout, stderr } = child;
    this.#streams = [stdout, stderr].filter((it) => it !== null);
    for (const stream of this.#streams) this.#read(stream);
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        resolve({ code, signal });
      });
    });
    const read = new Promise((resolve) => child.once("close", resolve));
    this.over = this.#exited.then(async (exit) => {
      // What it has started may have its output, too.
      await within(LAST_OUTPUT, read);
      return (this.#exit = exit);
    });
  }

  #read(stream: Readable): void {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    stream.on("data", (bytes: Buffer) => {
      this.#text.add(decoder.decode(bytes, { stream: true }));
    });
    stream.once("end", () => {
      this.#text.add(decoder.decode());
    });
    // It has ended as well then.
    stream.on("error", () => undefined);
  }

  get output(): ProgramOutput {
    const { isTruncated } = this.#text;
    return { text: this.#text.toString(), isTruncated, exit: this.#exit };
  }

  /** Ends it, and what it has started. */
  async end(grace: number): Promise<void> {
    await this.#group.end(grace, this.#exited);
    await this.over;
  }

  /** Ends it, and reads nothing more of it. */
  async close(grace: number): Promise<void> {
    await this.end(grace);
    this.#group.forget();
    for (const stream of this.#streams) stream.destroy();
  }
}

/**
 * Starts programs, and knows them by ids that nobody can guess. What belongs to a
 * scope (a session, say) is unknown to others.
 */
export class Programs {
  readonly #names: { readonly id: string; readonly command: string };
  readonly #maxOpen: number;
  readonly #limit: number;
  readonly #maxLimit: number;
  readonly #grace: number;
  readonly #open: Map<string, Program> = new Map();
  #starting = 0;
  #isClosed = false;

  /** @param names What errors call an id and a command. */
  constructor(
    names: { readonly id: string; readonly command: string },
    options: ProgramOptions,
  ) {
    this.#names = names;
    this.#maxOpen = options.maxOpen ?? 64;
    this.#limit = options.outputLimit ?? 1 << 20;
    this.#maxLimit = options.maxOutputLimit ?? 8 << 20;
    this.#grace = options.grace ?? 2000;
  }

  /** Starts a program. Gives its id. */
  async start(scope: readonly string[], what: ProgramStart): Promise<string> {
    this.#check();
    this.#starting += 1;
    try {
      const limit = Number(what.limit ?? this.#limit);
      const kept = Math.max(0, Math.min(limit, this.#maxLimit));
      const program = await this.#launch(scope, what, kept);
      if (this.#isClosed) await program.close(this.#grace);
      this.#checkOpen();
      const id = randomUUID();
      this.#open.set(id, program);
      return id;
    } finally {
      this.#starting -= 1;
    }
  }

  /** What a program has written so far. */
  output(scope: readonly string[], id: string): ProgramOutput {
    return this.#find(scope, id).output;
  }

  /** Waits until a program has ended, unless the signal comes first. */
  async wait(
    scope: readonly string[],
    id: string,
    signal?: AbortSignal,
  ): Promise<ExitStatus> {
    const { over } = this.#find(scope, id);
    if (signal === undefined) return over;
    signal.throwIfAborted();
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => {
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", abort);
    });
    try {
      return await Promise.race([over, aborted]);
    } finally {
      if (abort !== undefined) signal.removeEventListener("abort", abort);
    }
  }

  /** Ends a program and what it has started. Its output and its id stay. */
  async kill(scope: readonly string[], id: string): Promise<void> {
    await this.#find(scope, id).end(this.#grace);
  }

  /** Ends a program and what it has started, and forgets it. */
  async release(scope: readonly string[], id: string): Promise<void> {
    const program = this.#find(scope, id);
    this.#open.delete(id);
    await program.close(this.#grace);
  }

  /** Ends all programs, and starts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const programs = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(programs.map((program) => program.close(this.#grace)));
  }

  #check(): void {
    this.#checkOpen();
    if (this.#open.size + this.#starting < this.#maxOpen) return;
    const detail = `${String(this.#maxOpen)} programs were started and not given back`;
    throw RequestError.internalError(undefined, detail);
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    const detail = "no more programs are run here";
    throw RequestError.internalError(undefined, detail);
  }

  async #launch(
    scope: readonly string[],
    { command, args, env, cwd }: ProgramStart,
    limit: number,
  ): Promise<Program> {
    const folder = cwd ?? undefined;
    try {
      const child = start(command, args ?? [], {
        // Signals for it then reach what it starts as well.
        detached: process.platform !== "win32",
        env: { ...process.env, ...Object.fromEntries(env ?? []) },
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
        ...(folder === undefined ? {} : { cwd: folder }),
      });
      const started = new Promise((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", reject);
      });
      // Its first output comes no earlier than this.
      const program = new Program(scope, child, limit);
      await started;
      child.on("error", () => undefined);
      return program;
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      const why = missing(cause, folder) ?? cause.message;
      const data = { [this.#names.command]: command };
      const detail = `cannot start ${command}: ${why}`;
      throw RequestError.invalidParams(data, detail);
    }
  }

  #find(scope: readonly string[], id: string): Program {
    const program = this.#open.get(id);
    const isOwn = program?.scope.every((part, at) => part === scope[at]);
    if (program !== undefined && isOwn === true) return program;
    const data = { [this.#names.id]: id };
    const detail = `nothing was started that has the id ${id}, or it was given back`;
    throw RequestError.invalidParams(data, detail);
  }
}
