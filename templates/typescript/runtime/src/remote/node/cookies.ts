// Cookies of servers.

import { optional, type ToughCookie } from "./optional.js";

/** What keeps cookies. */
export interface Cookies {
  /** The value of the header `Cookie` for this address, perhaps empty. */
  get(url: URL): Promise<string>;
  /** Takes the values of `Set-Cookie` of an answer. */
  set(url: URL, values: readonly string[]): Promise<void>;
}

/** Keeps cookies as long as it lives. Loads what that needs at the first one. */
export class CookieJar implements Cookies {
  #jar: Promise<InstanceType<ToughCookie["CookieJar"]>> | undefined;

  async get(url: URL): Promise<string> {
    const jar = await this.#jar;
    return jar === undefined ? "" : jar.getCookieString(asHttp(url));
  }

  async set(url: URL, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    this.#jar ??= optional<ToughCookie>(
      "tough-cookie",
      "keeping the server's cookies",
    ).then(({ CookieJar }) => new CookieJar());
    const jar = await this.#jar;
    for (const value of values) {
      await jar.setCookie(value, asHttp(url), { ignoreError: true });
    }
  }
}

/** The address as cookies know it. */
function asHttp(url: URL): string {
  return url.href.replace(/^ws/, "http");
}
