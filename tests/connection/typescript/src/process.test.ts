// Processes at the other end, and workers.

import assert from "node:assert/strict";
import { spawn as spawnNode } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import {
  AgentSideConnection,
  ClientSideConnection,
  ConnectionError,
  messageStream,
  ndJsonStream,
  portStream,
  streamPair,
} from "acp";
import { type ProcessOptions, spawn } from "acp/node";
import { AgentServer, listen, remote } from "acp/remote/node";

import {
  done,
  gate,
  isKind,
  type Json,
  prompt,
  quietAgent,
  quietClient,
  settled,
} from "./wire.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** Whether files are there without an import. */
const hasFiles = major > 20 || (major === 20 && minor >= 16);

/** A program of Node. */
const run = (program: string, options?: ProcessOptions) =>
  spawn(process.execPath, ["-e", program], options);

/** What says that a call failed because the connection is closed. */
const says =
  (...words: (string | RegExp)[]) =>
  (error: unknown) => {
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.kind, "closed");
    for (const word of words) assert.match(error.message, new RegExp(word));
    return true;
  };

test("how a process ended is told to who waits for it", async () => {
  for (const [program, how] of [
    ["process.exit(3)", /^connection closed: node: exit code 3$/],
    [
      "process.kill(process.pid, 'SIGKILL')",
      /^connection closed: node: killed by SIGKILL$/,
    ],
  ] as const) {
    const stream = run(`process.stdin.once("data", () => ${program})`);
    assert.equal(stream.pid, stream.process.pid);
    const connection = new ClientSideConnection(() => quietClient, stream);
    await assert.rejects(connection.prompt(prompt), says(how));
    await connection.closed;
    const status = await stream.exited;
    assert.equal(stream.status, status);
    assert.equal(status.code === 3 || status.signal === "SIGKILL", true);
  }
});

test("lines that are no messages are told and given", async () => {
  const taken: string[] = [];
  const script =
    "echo first; echo ' {} '; read line; printf '\\033[1mlast'; exit 3";
  const stream = spawn("sh", ["-c", script]);
  const connection = new ClientSideConnection(() => quietClient, stream, {
    strayLines: (line) => {
      taken.push(line);
      throw new Error("whoever takes them harms nobody");
    },
  });
  const how = "connection closed: sh: exit code 3\nfirst\n{}\n [1mlast";
  await assert.rejects(connection.prompt(prompt), { message: how });
  assert.deepEqual(taken, ["first", "{}", "\u001b[1mlast"]);
});

test(
  "what a process has started ends with it",
  { skip: process.platform !== "linux" },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "launched-"));
    for (const then of ["wait", "trap '' TERM; wait; wait", "exit 3"]) {
      const place = join(folder, `id-${String(then.length)}`);
      const script = `sleep 600 <&0 & echo $! > "$PLACE"; ${then}`;
      const env = { PLACE: place };
      const stream = spawn("sh", ["-c", script], { env, grace: 100 });
      const connection = new ClientSideConnection(() => quietClient, stream);
      const id = await written(place);
      if (then === "exit 3") {
        // Its output is open still, by what it has started.
        await assert.rejects(connection.prompt(prompt), says("exit code 3"));
      }
      await connection.close();
      // What nobody has waited for is a zombie.
      const isLeft = async () => {
        const stat = readFile(`/proc/${id}/stat`, "utf8");
        return !(await stat.catch(() => ") Z ")).includes(") Z ");
      };
      while (await isLeft()) await pause();
    }
    await rm(folder, { recursive: true });
  },
);

/** Waits until something is in a file. */
async function written(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text !== "") return text.trim();
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

test("an agent ends in order when nobody reads what it says", async () => {
  const program = `
    import { AgentSideConnection } from "acp";
    import { stdio } from "acp/node";
    await new AgentSideConnection(() => ({}), stdio()).closed;
  `;
  const child = spawnNode(
    process.execPath,
    ["--input-type=module", "-e", program],
    {
      stdio: ["pipe", "pipe", "inherit"],
      cwd: import.meta.dirname,
    },
  );
  child.stdout.destroy();
  child.stdin.on("error", () => undefined);
  const write = () => child.stdin.write('{"id":1,"method":"_x"}\n');
  const timer = setInterval(write, 10);
  const [code] = (await once(child, "exit")) as [number];
  clearInterval(timer);
  assert.equal(code, 0);
});

test("many calls may have one signal", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const [near, far] = streamPair();
  const connection = new ClientSideConnection(() => quietClient, near);
  new AgentSideConnection(
    () => ({ ...quietAgent, prompt: () => new Promise(() => undefined) }),
    far,
  );
  const controller = new AbortController();
  const { signal } = controller;
  const calls = Array.from({ length: 30 }, () =>
    connection.prompt(prompt, { signal }),
  );
  const given = Promise.allSettled(calls);
  await pause();
  controller.abort(new Error("enough"));
  for (const call of await given) {
    assert.equal(
      call.status === "rejected" && String(call.reason),
      "Error: enough",
    );
  }
  await connection.close();
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
});

test("what a shell is given beside a program is not told", async () => {
  const line = `${process.execPath} -e "process.exit(3)" secret`;
  const stream = spawn(line, [], { shell: true });
  const connection = new ClientSideConnection(() => quietClient, stream);
  await assert.rejects(
    connection.prompt(prompt),
    says(/^connection closed: node: exit code 3$/),
  );
});

test("the last lines of standard error are told", async () => {
  const program = `
    for (let line = 1; line <= 30; line += 1) console.error("line " + line);
    process.exitCode = 1;
  `;
  for (const stderr of ["capture", "pipe", "ignore"] as const) {
    const stream = run(program, { stderr });
    let read = "";
    stream.stderr?.on("data", (bytes: Buffer) => {
      read += bytes.toString();
    });
    const connection = new ClientSideConnection(() => quietClient, stream);
    const failure = (await connection
      .prompt(prompt)
      .catch((error: unknown) => error)) as Error;
    assert.match(failure.message, /exit code 1/);
    const lines = failure.message.split("\n").slice(1);
    const last = Array.from({ length: 20 }, (_, at) => `line ${at + 11}`);
    assert.deepEqual(lines, stderr === "ignore" ? [] : last);
    assert.equal(read.split("\n").length, stderr === "pipe" ? 31 : 1);
    await connection.closed;
  }
});

test("a command that cannot be started is named", async () => {
  const stream = spawn("there-is-no-such-program");
  const connection = new ClientSideConnection(() => quietClient, stream);
  const call = connection.prompt(prompt);
  await assert.rejects(call, says("there-is-no-such-program", "ENOENT"));
  assert.equal(stream.pid, undefined);
  assert.deepEqual(await stream.exited, { code: null, signal: null });
});

test("a folder that does not exist is named", async () => {
  const cwd = join(tmpdir(), "there-is-no-such-folder");
  const stream = spawn(process.execPath, [], { cwd });
  const connection = new ClientSideConnection(() => quietClient, stream);
  const told = says(
    "cannot be started: the folder .*there-is-no-such-folder does",
  );
  await assert.rejects(connection.prompt(prompt), told);
});

test("a process has an environment and a folder", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "acp-")));
  const program = `
    const { env } = process;
    console.error([process.cwd(), env.ADDED, typeof env.PATH].join());
  `;
  const env = { ADDED: "yes" };
  const stream = run(program, { stderr: "capture", cwd: folder, env });
  const connection = new ClientSideConnection(() => quietClient, stream);
  const told = says(`${folder.replaceAll("\\", "\\\\")},yes,string`);
  await assert.rejects(connection.prompt(prompt), told);
  await rm(folder, { recursive: true });
});

test("a process may end by itself when its connection is closed", async () => {
  const program = `
    process.on("SIGTERM", () => {});
    process.stdin.on("end", () => setTimeout(() => process.exit(7), 50));
    process.stdin.resume();
    console.log(JSON.stringify({ jsonrpc: "2.0", method: "_ready" }));
  `;
  const stream = run(program);
  const ready = gate();
  const handler = { ...quietClient, extNotification: ready.open };
  const connection = new ClientSideConnection(() => handler, stream);
  await ready.opened;
  await connection.close();
  assert.deepEqual(stream.status, { code: 7, signal: null });
});

test("a process that will not end is killed", async () => {
  const program = `
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);
    console.log(JSON.stringify({ jsonrpc: "2.0", method: "_ready" }));
  `;
  const stream = run(program, { grace: 50 });
  const ready = gate();
  const handler = { ...quietClient, extNotification: ready.open };
  const connection = new ClientSideConnection(() => handler, stream);
  await ready.opened;
  await connection.close();
  assert.deepEqual(stream.status, { code: null, signal: "SIGKILL" });
});

test("the stream that a process closes is told", async () => {
  for (const [number, what] of [
    [0, "input"],
    [1, "output"],
  ] as const) {
    const program = `
      const { closeSync, writeSync } = require("node:fs");
      const ready = JSON.stringify({ jsonrpc: "2.0", method: "_ready" });
      if (${String(number)} === 0) closeSync(0);
      writeSync(1, ready + "\\n");
      if (${String(number)} === 1) closeSync(1);
      setInterval(() => {}, 1000);
    `;
    const stream = run(program, { grace: 50 });
    const ready = gate();
    const handler = { ...quietClient, extNotification: ready.open };
    const connection = new ClientSideConnection(() => handler, stream);
    await ready.opened;
    const told = says(`: its ${what} ended$`);
    const first = assert.rejects(connection.prompt(prompt), told);
    // It is not known yet whether the process goes on.
    await settled();
    await assert.rejects(connection.prompt(prompt), told);
    await first;
    await connection.close();
  }
});

test("a process that reads nothing does not keep a connection from closing", async () => {
  const program = "setInterval(() => {}, 1000)";
  const stream = run(program, { grace: 50 });
  const connection = new ClientSideConnection(() => quietClient, stream);
  const text = "x".repeat(1_000_000);
  const long = connection.prompt({
    sessionId: "s",
    prompt: [{ type: "text", text }],
  });
  const failed = assert.rejects(long, says("closed"));
  await connection.close();
  await failed;
  assert.equal(stream.status?.signal, "SIGTERM");
});

test("a process is killed when its connection has ended", async () => {
  const lasting = ["-e", "setInterval(() => {}, 1000)"];
  const stream = spawn(process.execPath, lasting, { grace: 50 });
  const connection = new ClientSideConnection(() => quietClient, stream);
  const exited = once(stream.process, "exit");
  const rejected = assert.rejects(connection.prompt(prompt), isKind("closed"));
  await connection.close();
  await rejected;
  await exited;
});

test("a process that cannot be started fails calls", async () => {
  const stream = spawn("there-is-no-such-program");
  const connection = new ClientSideConnection(() => quietClient, stream);
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
  await connection.closed;
  await assert.rejects(connection.prompt(prompt), isKind("closed"));
});

for (const way of ["as they are", "as all platforms have them"]) {
  test(`the streams of a process, ${way}`, async () => {
    // It says what it hears, so that a call calls this side itself.
    const echo = spawn(process.execPath, [
      "-e",
      "process.stdin.pipe(process.stdout)",
    ]);
    const { readable, writable, dispose } = echo;
    const stream =
      way === "as they are"
        ? echo
        : { ...ndJsonStream(writable, readable), dispose };
    const connection = new ClientSideConnection(() => quietClient, stream);
    for (const text of ["short", "größer".repeat(100_000)]) {
      const call = connection.prompt({
        sessionId: "s",
        prompt: [{ type: "text", text }],
      });
      await assert.rejects(call, { code: -32601 });
    }
    await connection.close();
    await connection.closed;
  });
}

test("messages are logged where the environment says", async () => {
  const folder = await mkdtemp(join(tmpdir(), "acp-"));
  const path = join(folder, "log.jsonl");
  const program = (stream: string): string => `
    import { AgentSideConnection, ndJsonStream } from "acp";
    import { stdio } from "acp/node";
    import { Readable, Writable } from "node:stream";
    new AgentSideConnection(() => ({ prompt: () => (${JSON.stringify(done)}) }), ${stream});
  `;
  const portable =
    "ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin))";
  for (const [over, wanted] of [
    ["stdio()", path],
    ["stdio()", "stderr"],
    // Whatever else it is, it is the name of a file.
    ["stdio()", "debug"],
    [portable, "stderr"],
    ...(hasFiles ? ([[portable, path]] as const) : []),
  ] as const) {
    const parameters = ["--input-type=module", "-e", program(over)];
    const stream = spawn(process.execPath, parameters, {
      env: { ACP_LOG: wanted },
      stderr: "pipe",
    });
    let text = "";
    stream.stderr?.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
    const connection = new ClientSideConnection(() => quietClient, stream, {
      log: false,
    });
    await connection.prompt(prompt);
    await connection.close();
    if (wanted !== "stderr") {
      text += await readFile(wanted, "utf8");
      await rm(wanted);
    }
    const records = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    assert.deepEqual(
      records.map(({ from, to }) => [from, to]),
      [
        ["client", "agent"],
        ["agent", "client"],
      ],
    );
  }
  await rm(folder, { recursive: true });
});

test("the option takes the path of a file, in place of the environment", async (context) => {
  if (!hasFiles) return;
  const folder = await mkdtemp(join(tmpdir(), "acp-"));
  const path = join(folder, "log.jsonl");
  process.env["ACP_LOG"] = join(folder, "no-such-folder", "log.jsonl");
  context.after(() => {
    delete process.env["ACP_LOG"];
  });
  const told = context.mock.method(console, "error", () => undefined);
  const [near, far] = streamPair();
  new AgentSideConnection(() => quietAgent, far, { log: path });
  const connection = new ClientSideConnection(() => quietClient, near, {
    log: path,
  });
  await connection.initialize({ protocolVersion: 1 });
  await connection.close();
  const text = await readFile(path, "utf8");
  const records = text.trimEnd().split("\n");
  const writers = records.map((line) => (JSON.parse(line) as Json)["by"]);
  assert.deepEqual(writers.sort(), ["agent", "agent", "client", "client"]);
  assert.equal(told.mock.callCount(), 0);
  await rm(folder, { recursive: true });
});

test("a file that cannot be written is told in a line", async (context) => {
  if (!hasFiles) return;
  const path = join(tmpdir(), "no-such-folder", "log.jsonl");
  process.env["ACP_LOG"] = path;
  const told = context.mock.method(console, "error", () => undefined);
  context.after(() => {
    delete process.env["ACP_LOG"];
  });
  const [near, far] = streamPair();
  new AgentSideConnection(() => quietAgent, far, { log: false });
  const connection = new ClientSideConnection(() => quietClient, near);
  await connection.initialize({ protocolVersion: 1 });
  await connection.close();
  const [near2, far2] = streamPair();
  new AgentSideConnection(() => quietAgent, far2, { log: path });
  const another = new ClientSideConnection(() => quietClient, near2, {
    log: false,
  });
  await another.initialize({ protocolVersion: 1 });
  await another.close();
  assert.deepEqual(
    told.mock.calls.map(({ arguments: said }) => said),
    ["ACP_LOG", "log"].map((whose) => [
      `${whose}: ${path}: No such file or directory`,
    ]),
  );
});

test("the environment has connections within a program logged, too", async (context) => {
  if (!hasFiles) return;
  const folder = await mkdtemp(join(tmpdir(), "acp-"));
  const path = join(folder, "log.jsonl");
  process.env["ACP_LOG"] = path;
  context.after(() => {
    delete process.env["ACP_LOG"];
    return rm(folder, { recursive: true });
  });
  const [near, far] = streamPair();
  const [input, output] = [new TransformStream(), new TransformStream()];
  for (const [ours, theirs] of [
    [near, far],
    [
      messageStream(input.writable, output.readable),
      messageStream(output.writable, input.readable),
    ],
  ] as const) {
    const logged: string[] = [];
    new AgentSideConnection(() => quietAgent, theirs);
    const connection = new ClientSideConnection(() => quietClient, ours, {
      log: (record) => logged.push(record),
    });
    await connection.initialize({ protocolVersion: 1 });
    await connection.close();
    // The other end has no log of its own.
    const text = await readFile(path, "utf8");
    assert.equal(text.trimEnd().split("\n").length, 2);
    assert.equal(logged.length, 2);
    await rm(path);
  }
});

test("the environment has connections over the network logged, too", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "acp-"));
  const path = join(folder, "log.jsonl");
  process.env["ACP_LOG"] = path;
  context.after(() => {
    delete process.env["ACP_LOG"];
    return rm(folder, { recursive: true });
  });
  const server = new AgentServer(() => quietAgent);
  const listening = await listen(server);
  const connection = new ClientSideConnection(
    () => quietClient,
    remote(listening.url, { transport: "websocket" }),
  );
  await connection.initialize({ protocolVersion: 1 });
  await connection.close();
  await listening.close();
  const text = await readFile(path, "utf8");
  // Each of two messages is logged at both ends.
  assert.equal(text.trimEnd().split("\n").length, 4);
});

test("a connection may be over a worker", async () => {
  const program = `
    const { parentPort } = require("node:worker_threads");
    import("acp").then(({ AgentSideConnection, portStream }) => {
      const agent = { prompt: () => (${JSON.stringify(done)}) };
      new AgentSideConnection(() => agent, portStream(parentPort));
    });
  `;
  const worker = new Worker(program, { eval: true });
  const connection = new ClientSideConnection(
    () => quietClient,
    portStream(worker),
  );
  assert.deepEqual(await connection.prompt(prompt), done);
  const exit = once(worker, "exit");
  await connection.close();
  assert.deepEqual(await exit, [0]);
});
