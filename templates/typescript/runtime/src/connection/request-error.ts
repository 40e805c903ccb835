/** The members of the data of errors that tell more, by codes: strings. */
export type DataMembers = Readonly<Record<number, readonly string[]>>;

/** Why a request failed: the error object of JSON-RPC. */
export class RequestError extends Error {
  /** @internal */
  static readonly members: DataMembers = {};
  override readonly name: string = "RequestError";
  /** The kind of error. */
  readonly code: number;
  /** Anything else that is known about it. */
  readonly data: unknown;
  /** The method of the call that was answered with it, if one was. */
  declare readonly call?: string;

  constructor(code: number, message: string, data?: unknown, call?: string) {
    super(message);
    this.code = code;
    this.data = data;
    if (call !== undefined) this.call = call;
  }

  /** The message was not JSON: -32700. */
  static parseError<T>(
    this: new (code: number, message: string, data?: unknown) => T,
    data?: unknown,
    detail?: string,
  ): T {
    return new this(-32700, detailed("Parse error", detail), data);
  }

  /** The message was not a request: -32600. */
  static invalidRequest<T>(
    this: new (code: number, message: string, data?: unknown) => T,
    data?: unknown,
    detail?: string,
  ): T {
    return new this(-32600, detailed("Invalid request", detail), data);
  }

  /** Nothing handles this method: -32601. Other data than its name can be said. */
  static methodNotFound<T>(
    this: new (code: number, message: string, data?: unknown) => T,
    method: string,
    data: unknown = { method },
    detail?: string,
  ): T {
    return new this(-32601, detailed("Method not found", detail), data);
  }

  /** The params are not those of the method: -32602. */
  static invalidParams<T>(
    this: new (code: number, message: string, data?: unknown) => T,
    data?: unknown,
    detail?: string,
  ): T {
    return new this(-32602, detailed("Invalid params", detail), data);
  }

  /** The handler failed: -32603. */
  static internalError<T>(
    this: new (code: number, message: string, data?: unknown) => T,
    data?: unknown,
    detail?: string,
  ): T {
    return new this(-32603, detailed("Internal error", detail), data);
  }

  /** The request was cancelled: -32800. */
  static requestCancelled<T>(
    this: new (code: number, message: string, data?: unknown) => T,
    data?: unknown,
    detail?: string,
  ): T {
    return new this(-32800, detailed("Request cancelled", detail), data);
  }

  /** The call that it answers, the message with its code, what the data tell. */
  override toString(): string {
    const { call, code, message, name } = this;
    const more = told(this);
    const parts = [name, call, message];
    const isNew =
      more !== undefined && more !== call && !message.includes(more);
    if (isNew) parts.push(more);
    const said = parts.filter((part) => part !== undefined).join(": ");
    return `${said} (${String(code)})`;
  }

  /** The error object that is sent. */
  toJSON(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** What the data tell: the method that was not found, say. */
function told(error: RequestError): string | undefined {
  const { code, data } = error;
  const members: Readonly<Record<string, unknown>> = { ...(data as object) };
  const { method, path, expected, found } = members;
  if (code === -32601 && typeof method === "string") return method;
  const { members: known } = error.constructor as typeof RequestError;
  const own = (known[code] ?? []).map((name) => members[name]);
  const texts = own.filter((it) => typeof it === "string");
  if (texts.length > 0) return texts.join(", ");
  const isPlace = [path, expected, found].every((it) => typeof it === "string");
  if (code !== -32602 || !isPlace) return undefined;
  const more = `expected ${expected as string}, found ${found as string}`;
  return path === "" ? more : `${path as string}: ${more}`;
}

/**
 * A message with what is said beside it.
 *
 * @internal
 */
export function detailed(message: string, detail: string | undefined): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}

/**
 * Nothing, if there is nothing in the data.
 *
 * @internal
 */
export function given(data: object): object | undefined {
  const values: unknown[] = Object.values(data);
  return values.some((value) => value !== undefined) ? data : undefined;
}
