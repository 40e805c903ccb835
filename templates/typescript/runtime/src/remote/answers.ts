// Answers of HTTP that say what is wrong.

/** What is wrong with a request. */
export interface Wrong {
  readonly status: number;
  readonly message: string;
  /** The code of the error; by default that of an invalid request. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The code of an invalid request, and of what is no JSON. */
const INVALID_REQUEST = -32600;
export const PARSE_ERROR = -32700;

/** A response of JSON-RPC that says what is wrong. */
export function errorLine(
  message: string,
  id: string = "null",
  code: number = INVALID_REQUEST,
): string {
  const error = JSON.stringify({ code, message });
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
}

/** An answer that says what is wrong. */
export function wrong({ status, message, code, headers }: Wrong): Response {
  return json(errorLine(message, "null", code), status, headers);
}

/** An answer of JSON. */
export function json(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = { "content-type": "application/json" };
  return new Response(text, { status, headers: { ...headers, ...type } });
}
