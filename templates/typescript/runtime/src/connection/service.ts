// From messages to handlers.

import { stringifyJson } from "../parsing.js";
import { ConnectionError, wordsOf } from "./connection-error.js";
import type { Context, MakeContext } from "./context.js";
import { decodeParams, forgiving, WrongParams } from "./decoding.js";
import type { Link } from "./link.js";
import {
  type Method,
  none,
  raw,
  type RequestMethod,
  type Side,
  unknownMethod,
  unknownNotification,
} from "./method.js";
import { RequestError } from "./request-error.js";
import { failure, known, type Running } from "./running.js";

type Handle = (...parameters: unknown[]) => unknown;

/** What handles a message. */
interface Found<M> {
  readonly method: M;
  readonly handle: Handle;
  /** Whether the schema names the method; else the handler is told its name. */
  readonly isNamed: boolean;
}

/** Hands messages to the handlers of a side. */
export class Service {
  readonly #link: Link;
  readonly #side: Side;
  readonly #context: MakeContext;
  readonly #requests: ReadonlyMap<string, RequestMethod<unknown, unknown>>;
  readonly #notifications: ReadonlyMap<string, Method<unknown>>;
  #handler: Readonly<Record<string, unknown>> = {};

  constructor(link: Link, side: Side, context: MakeContext) {
    this.#link = link;
    this.#side = side;
    this.#context = context;
    const requests = new Map<string, RequestMethod<unknown, unknown>>();
    const notifications = new Map<string, Method<unknown>>();
    for (const method of side.methods) {
      if ("result" in method) requests.set(method.name, method);
      else notifications.set(method.name, method);
    }
    this.#requests = requests;
    this.#notifications = notifications;
  }

  /** Says who handles messages from now on. */
  use(handler: object): void {
    this.#handler = handler as Readonly<Record<string, unknown>>;
    this.#checkConcurrent();
    this.#link.handles = (name) => {
      const method = this.#requests.get(name) ?? this.#notifications.get(name);
      return method !== undefined && this.#handle(method) !== undefined;
    };
  }

  /** Throws if `concurrent` names what this side does not handle. */
  #checkConcurrent(): void {
    const { extNotification } = this.#side;
    const takes = (method: Method<unknown> | undefined): boolean =>
      method !== undefined && this.#handle(method) !== undefined;
    for (const name of this.#link.settings.concurrent) {
      const isKnown =
        this.#notifications.has(name) ||
        takes(unknownNotification) ||
        (isExtension(name) && takes(extNotification));
      if (isKnown) continue;
      const known = [...this.#notifications.keys()].join(", ") || "none";
      throw new TypeError(
        `${JSON.stringify(name)} in concurrent is no notification that this side handles: ` +
          `it handles ${known}, and others only by a handler of last resort`,
      );
    }
  }

  /** Begins to handle a request. */
  request(running: Running): void {
    const link = this.#link;
    const { method: name, params } = running;
    link.agreement.heard(name, params);
    if (link.signal.aborted) running.cancel();
    link.running.add(running);
    const found = this.#find(
      name,
      this.#requests,
      this.#side.extMethod,
      unknownMethod,
    );
    if (found === undefined) {
      link.respond(running, failure(RequestError.methodNotFound(name)));
      return;
    }
    const { method } = found;
    const succeed = (result: unknown): void => {
      this.#succeed(running, name, method, result);
    };
    const fail = (error: unknown): void => {
      this.#fail(running, name, error);
    };
    const context = new this.#context(link, running, undefined);
    try {
      const result = this.#call(name, found, params, context);
      if (isThenable(result)) result.then(succeed, fail);
      else succeed(result);
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Takes a piece of the result of a call. Says whether it was one, as it
   * should be or not.
   */
  piece(method: string, params: unknown): boolean {
    try {
      return this.#link.intercept?.(method, params) === true;
    } catch (error) {
      if (!(error instanceof WrongParams)) throw error;
      this.#dropped(method, error);
      return true;
    }
  }

  /**
   * Begins to handle a notification. Gives what to wait for, if the handler
   * is not done yet.
   */
  notification(
    name: string,
    params: unknown,
    number: number,
  ): PromiseLike<void> | undefined {
    const { watch } = this.#link;
    const found = this.#find(
      name,
      this.#notifications,
      this.#side.extNotification,
      unknownNotification,
    );
    if (found === undefined) {
      if (!this.#link.turns.isBy(name)) {
        watch.trouble({ type: "ignored", method: name });
      } else {
        this.#check(name, params);
      }
      return undefined;
    }
    const failed = (error: unknown): void => {
      watch.trouble({ type: "failed", method: name, error });
    };
    const context = new this.#context(this.#link, undefined, number);
    // Calls that it makes before it first waits are known to be its own.
    this.#link.calling = number;
    try {
      const result = this.#call(name, found, params, context);
      return isThenable(result) ? result.then(nothing, failed) : undefined;
    } catch (error) {
      if (error instanceof WrongParams) this.#dropped(name, error);
      else failed(error);
      return undefined;
    } finally {
      this.#link.calling = undefined;
    }
  }

  /** Tells of a notification that nothing handles if its params are wrong. */
  #check(name: string, params: unknown): void {
    const method = this.#notifications.get(name);
    if (method === undefined) return;
    try {
      decodeParams(
        method.params,
        params,
        forgiving(this.#link, name, "params"),
      );
    } catch (error) {
      if (!(error instanceof WrongParams)) throw error;
      this.#dropped(name, error);
    }
  }

  #dropped(method: string, { path, reason }: WrongParams): void {
    this.#link.watch.trouble({ type: "dropped", method, path, reason });
  }

  /**
   * What handles a message: for a method of the schema that method alone, for
   * any other the extension handler if it begins with `_`, else the last resort.
   */
  #find<M extends Method<unknown>>(
    name: string,
    named: ReadonlyMap<string, M>,
    extension: M | undefined,
    unknown: M,
  ): Found<M> | undefined {
    const isNamed = this.#requests.has(name) || this.#notifications.has(name);
    const candidates = isNamed
      ? [named.get(name)]
      : [isExtension(name) ? extension : undefined, unknown];
    for (const method of candidates) {
      const handle = method && this.#handle(method);
      if (method && handle) return { method, handle, isNamed };
    }
    return undefined;
  }

  #handle(method: Method<unknown>): Handle | undefined {
    const handle = this.#handler[method.handler];
    // What every object has handles nothing.
    const { prototype } = Object as { readonly prototype: object };
    const inherited: unknown = Reflect.get(prototype, method.handler);
    if (typeof handle !== "function" || handle === inherited) return undefined;
    return handle as Handle;
  }

  #call(
    name: string,
    { method, handle, isNamed }: Found<Method<unknown>>,
    given: unknown,
    context: Context,
  ): unknown {
    const { params: codec } = method;
    const options = forgiving(this.#link, name, "params");
    const params =
      codec === raw && given === undefined
        ? given
        : decodeParams(codec, given, options);
    if ("result" in method) this.#link.agreement.asked(method.name, given);
    return isNamed
      ? handle.call(this.#handler, params, context)
      : handle.call(this.#handler, name, params, context);
  }

  #succeed(
    running: Running,
    name: string,
    method: RequestMethod<unknown, unknown>,
    result: unknown,
  ): void {
    let text: string | undefined;
    try {
      const whole = this.#link.agreement.told(method.name, result);
      text = encodeResult(method, whole, this.#link);
    } catch (error) {
      if (!(error instanceof ConnectionError) || running.isCancelled) {
        this.#fail(running, name, error);
        return;
      }
      // The peer is told, but it is this end that has to do something.
      this.#link.watch.trouble({ type: "failed", method: name, error });
      const told = new RequestError(-32603, error.message);
      this.#link.respond(running, failure(told));
      return;
    }
    this.#link.respond(running, `"result":${text}`);
  }

  #fail(running: Running, name: string, error: unknown): void {
    // Whatever a handler throws then, it ended by that.
    if (running.isCancelled && !(error instanceof WrongParams)) {
      this.#link.respond(running, running.cancelled);
      return;
    }
    let told = known(error);
    // What a call of its own was answered with says nothing of this one.
    if (told === undefined || told.call !== undefined) {
      this.#link.watch.trouble({ type: "failed", method: name, error });
    }
    if (told === undefined) {
      const { errorDetails } = this.#link.settings;
      const details = wordsOf(error);
      told = RequestError.internalError(errorDetails ? { details } : undefined);
    }
    this.#link.respond(running, failure(told));
  }
}

/** A result as JSON. Throws if it is none. */
function encodeResult(
  method: RequestMethod<unknown, unknown>,
  result: unknown,
  link: Link,
): string {
  if (result === undefined || result === null) {
    if (method.empty === true) return method.result === none ? "null" : "{}";
    if (result === undefined) throw new TypeError("the handler gave no result");
  }
  const encoded = method.result.encode(result);
  link.check(method, "result", encoded);
  const text = stringifyJson(encoded);
  if (text === undefined) throw new TypeError("the result is not JSON");
  return text;
}

function isExtension(method: string): boolean {
  return method.startsWith("_");
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

function nothing(): void {
  // A notification has no result.
}
