// Speaks with Chromium over a pair of pipes, in its DevTools protocol.

import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";

/** A page of headless Chromium. */
export class Page {
  #browser;
  #calls = new Map();
  #waiting = [];
  #last = 0;
  #session;

  static async open(program, profile) {
    const page = new Page();
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"];
    options.push("--no-first-run", "--disable-background-networking", "--disable-sync");
    options.push("--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars");
    options.push("--remote-debugging-pipe", `--user-data-dir=${profile}`);
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    page.#browser = spawn(program, options, { stdio });
    let rest = "";
    page.#browser.stdio[4].setEncoding("utf8").on("data", (piece) => {
      const messages = (rest + piece).split("\0");
      rest = messages.pop();
      for (const message of messages) page.#receive(JSON.parse(message));
    });
    const { targetId } = await page.send("Target.createTarget", { url: "about:blank" });
    const attached = await page.send("Target.attachToTarget", { targetId, flatten: true });
    page.#session = attached.sessionId;
    await page.send("Page.enable");
    await page.send("Runtime.enable");
    await page.send("Log.enable");
    return page;
  }

  /** What the page reported: exceptions, refused resources. */
  problems = [];

  /** Every address that the page asked for. */
  requests = [];

  #receive({ id, method, params, result, error }) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
    if (method === "Runtime.exceptionThrown") this.problems.push(params.exceptionDetails.text);
    if (method === "Log.entryAdded") this.problems.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    this.#waiting = this.#waiting.filter((waiting) => {
      if (waiting.method === method) waiting.resolve(params);
      return waiting.method !== method;
    });
  }

  send(method, params = {}) {
    const id = ++this.#last;
    const message = { id, method, params, sessionId: this.#session };
    this.#browser.stdio[3].write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  #event(method) {
    return new Promise((resolve) => this.#waiting.push({ method, resolve }));
  }

  async go(url) {
    await this.send("Network.enable");
    // Else another fragment of the same page would not load it again.
    const left = this.#event("Page.loadEventFired");
    await this.send("Page.navigate", { url: "about:blank" });
    await left;
    const loaded = this.#event("Page.loadEventFired");
    await this.send("Page.navigate", { url });
    await loaded;
    await this.settled();
  }

  /** The value of an expression in the page. */
  async value(expression) {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "it threw");
    return result.value;
  }

  /** After what was asked for has been laid out. */
  settled() {
    const twice = "requestAnimationFrame(() => requestAnimationFrame(resolve))";
    return this.value(`new Promise((resolve) => ${twice})`);
  }

  async press(key, code = 0, modifiers = 0) {
    const text = key.length === 1 && modifiers === 0 ? key : key === "Enter" ? "\r" : undefined;
    const event = { key, windowsVirtualKeyCode: code, modifiers, text };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
    await this.settled();
  }

  async type(text) {
    for (const key of text) await this.press(key);
  }

  async look(width, height, scheme) {
    const size = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.send("Emulation.setDeviceMetricsOverride", size);
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.send("Emulation.setEmulatedMedia", { features });
    await this.settled();
  }

  async shoot(file) {
    await this.settled();
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    const bytes = Buffer.from(data, "base64");
    await writeFile(file, bytes);
    return bytes.length;
  }

  async close() {
    const exited = new Promise((resolve) => this.#browser.once("exit", resolve));
    await this.send("Browser.close");
    await exited;
  }
}
