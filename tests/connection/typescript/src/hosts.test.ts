// Programs that a client runs for its agent.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { RequestError } from "acp";
import { TerminalHost } from "acp/hosts";

import { client } from "./wire.js";

/** The terminals of a session. */
class Terminals {
  readonly host: TerminalHost;
  readonly sessionId: string;

  constructor(host: TerminalHost, sessionId = "s") {
    this.host = host;
    this.sessionId = sessionId;
  }

  /** Runs a script. */
  async create(script: string, more: object = {}): Promise<string> {
    const { sessionId } = this;
    const params = { sessionId, command: "sh", args: ["-c", script], ...more };
    return (await this.host.createTerminal(params)).terminalId;
  }

  output(terminalId: string) {
    return this.host.terminalOutput({ sessionId: this.sessionId, terminalId });
  }

  wait(terminalId: string, signal?: AbortSignal) {
    const params = { sessionId: this.sessionId, terminalId };
    return this.host.waitForTerminalExit(params, signal && { signal });
  }

  kill(terminalId: string) {
    return this.host.killTerminal({ sessionId: this.sessionId, terminalId });
  }

  release(terminalId: string) {
    return this.host.releaseTerminal({ sessionId: this.sessionId, terminalId });
  }

  /** Waits until the program has said something. */
  async said(terminalId: string, text: string): Promise<string> {
    for (;;) {
      const { output } = this.output(terminalId);
      if (output.includes(text)) return output;
      await after(10);
    }
  }
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a process has ended. What nobody has waited for is a zombie. */
async function gone(id: string): Promise<void> {
  const place = `/proc/${id.trim()}/stat`;
  while (existsSync(place)) {
    try {
      if (readFileSync(place, "utf8").includes(") Z ")) return;
    } catch {
      return;
    }
    await after(10);
  }
}

/** What says that the params of a request are wrong. */
const refuses = (data: object, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RequestError);
  assert.equal(error.code, -32602);
  assert.deepEqual(error.data, data);
  assert.match(error.message, words);
  return true;
};

test("a program is given what was asked for, and its output is kept", async () => {
  const host = new TerminalHost();
  const terminals = new Terminals(host);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hosts-")));
  const script = 'cat; echo "$WORD" "${PATH:+has a path}"; pwd; exit 3';
  const env = [{ name: "WORD", value: "hello" }];
  const id = await terminals.create(script, { env, cwd: folder });
  assert.deepEqual(await terminals.wait(id), { exitCode: 3 });
  assert.deepEqual(terminals.output(id), {
    output: `hello has a path\n${folder}\n`,
    truncated: false,
    exitStatus: { exitCode: 3 },
  });
  const late = await terminals.create("echo late >&2");
  await terminals.wait(late);
  assert.equal(terminals.output(late).output, "late\n");
  await host.close();
});

test("what is no text is replaced", async () => {
  const host = new TerminalHost();
  const terminals = new Terminals(host);
  const script = String.raw`printf 'a\377b\303'; sleep 0.1; printf '\251\303'`;
  const id = await terminals.create(script);
  await terminals.wait(id);
  assert.equal(terminals.output(id).output, "a\ufffdb\u00e9\ufffd");
  await host.close();
});

test("the beginning of an output is lost at a character", async () => {
  const host = new TerminalHost({ outputLimit: 3, maxOutputLimit: 8 });
  const terminals = new Terminals(host);
  const cases: [number | null | undefined, string, string, boolean][] = [
    [0, "abäöx", "", true],
    [2, "abäöx", "x", true],
    [4, "abäöx", "öx", true],
    [5, "abäöx", "äöx", true],
    [7, "abäöx", "abäöx", false],
    [undefined, "abcdef", "def", true],
    [null, "abc", "abc", false],
    [100, "0123456789", "23456789", true],
  ];
  for (const [limit, text, expected, isLost] of cases) {
    const more = limit === undefined ? {} : { outputByteLimit: limit };
    const id = await terminals.create(`printf '${text}'`, more);
    await terminals.wait(id);
    const { output, truncated } = terminals.output(id);
    assert.deepEqual([text, output, truncated], [text, expected, isLost]);
  }
  await host.close();
});

test("the end of much output is kept", async () => {
  const host = new TerminalHost({ outputLimit: 100_000 });
  const terminals = new Terminals(host);
  const id = await terminals.create("seq 1 200000; printf end");
  await terminals.wait(id);
  const { output, truncated } = terminals.output(id);
  assert.equal(output.length, 100_000);
  assert.ok(output.endsWith("199999\n200000\nend"));
  assert.equal(truncated, true);
  await host.close();
});

const isLinux = process.platform === "linux";

test("a program is killed with what it has started", async (context) => {
  if (!isLinux) return context.skip("it looks at /proc");
  const host = new TerminalHost({ grace: 200 });
  const terminals = new Terminals(host);
  // What it has started ignores what it ignores.
  for (const [first, signal] of [
    ["", "SIGTERM"],
    ["trap '' TERM; ", "SIGKILL"],
  ]) {
    const script = `${first ?? ""}sleep 600 & echo $!; wait`;
    const id = await terminals.create(script);
    const started = await terminals.said(id, "\n");
    assert.equal(terminals.output(id).exitStatus, undefined);
    await terminals.kill(id);
    assert.deepEqual(terminals.output(id).exitStatus, { signal });
    assert.deepEqual(await terminals.wait(id), { signal });
    await gone(started);
    // What has ended is killed in vain.
    await terminals.kill(id);
  }
  await host.close();
});

test("a wait is not kept by what has the output", async () => {
  const host = new TerminalHost({ grace: 200 });
  const terminals = new Terminals(host);
  const script = "(sleep 1.5; echo more; sleep 600) & echo first";
  const id = await terminals.create(script);
  assert.deepEqual(await terminals.wait(id), { exitCode: 0 });
  assert.equal(terminals.output(id).output, "first\n");
  // It goes on, and is still heard.
  await terminals.said(id, "first\nmore\n");
  await host.close();
});

test("what is released ends and is forgotten", async () => {
  const host = new TerminalHost();
  const terminals = new Terminals(host);
  const id = await terminals.create("sleep 600");
  const waits = [terminals.wait(id), terminals.wait(id)];
  const abort = new AbortController();
  const cancelled = terminals.wait(id, abort.signal);
  abort.abort(new Error("cancelled"));
  await assert.rejects(cancelled, /cancelled/);
  await terminals.release(id);
  const signal = "SIGTERM";
  assert.deepEqual(await Promise.all(waits), [{ signal }, { signal }]);
  const refused = refuses({ terminalId: id }, new RegExp(id));
  assert.throws(() => terminals.output(id), refused);
  await assert.rejects(terminals.wait(id), refused);
  await assert.rejects(terminals.kill(id), refused);
  await assert.rejects(terminals.release(id), refused);
});

test("terminals belong to sessions", async () => {
  const host = new TerminalHost();
  const id = await new Terminals(host).create("echo mine");
  const other = new Terminals(host, "other");
  await assert.rejects(other.release(id), refuses({ terminalId: id }, /id/));
  await new Terminals(host).wait(id);
  await host.close();
});

test("there are not too many terminals", async () => {
  const host = new TerminalHost({ maxOpen: 2 });
  const terminals = new Terminals(host);
  const three = [1, 2, 3].map(() => terminals.create("exit 0"));
  const created = await Promise.allSettled(three);
  const states = created.map(({ status }) => status);
  assert.deepEqual(states, ["fulfilled", "fulfilled", "rejected"]);
  const [first] = created;
  assert.ok(first?.status === "fulfilled");
  const many = /2 programs were started and not given back/;
  await assert.rejects(terminals.create("exit 0"), many);
  await terminals.release(first.value);
  await terminals.create("exit 0");
  await host.close();
  await assert.rejects(terminals.create("exit 0"), /no more programs/);
});

test("what cannot be started says why", async () => {
  const host = new TerminalHost({ maxOpen: 1 });
  const cases: [{ command: string; cwd?: string }, RegExp][] = [
    [{ command: "no-such-program" }, /cannot start no-such-program: .*ENOENT/],
    [
      { command: "sh", cwd: "/no/such/folder" },
      /the folder \/no\/such\/folder does not exist/,
    ],
    [{ command: "a\0b" }, /null bytes/],
  ];
  for (const [params, words] of cases) {
    const created = host.createTerminal({ sessionId: "s", ...params });
    const { command } = params;
    await assert.rejects(created, refuses({ command }, words));
  }
  // What was not started is not counted.
  await new Terminals(host).create("exit 0");
  await host.close();
});

test("a client forwards to it", async () => {
  const host = new TerminalHost();
  const { wire } = client({ ...host });
  const ask = async (method: string, params: object) => {
    await wire.send({ id: 1, method: `terminal/${method}`, params });
    return await wire.receive();
  };
  const command = { command: "echo", args: ["hi"] };
  const created = await ask("create", { sessionId: "s", ...command });
  const { terminalId } = created?.["result"] as { terminalId: string };
  const ids = { sessionId: "s", terminalId };
  const exitStatus = { exitCode: 0 };
  for (const [method, result] of [
    ["wait_for_exit", exitStatus],
    ["output", { output: "hi\n", truncated: false, exitStatus }],
    ["kill", {}],
    ["release", {}],
  ] as const) {
    assert.deepEqual((await ask(method, ids))?.["result"], result);
  }
  const { data } = (await ask("output", ids))?.["error"] as { data: unknown };
  assert.deepEqual(data, { terminalId });
});
