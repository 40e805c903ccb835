// Requests with cookies.

import type { Cookies } from "./cookies.js";

/** Sends cookies, and keeps those that come. */
export function withCookies(
  send: typeof fetch,
  cookies: Cookies,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    const cookie = await cookies.get(url);
    if (cookie !== "") headers.set("cookie", cookie);
    const response = await send(input, { ...init, headers });
    await cookies.set(url, response.headers.getSetCookie());
    return response;
  };
}
