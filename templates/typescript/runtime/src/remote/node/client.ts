// What a client has in Node that browsers have by themselves.

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

import type { ConnectSocket, RemoteOptions } from "../client.js";
import { lost, reasonOf, refused } from "../refused.js";
import type { Cookies } from "./cookies.js";
import { cork } from "./cork.js";
import { optional, type Ws } from "./optional.js";

/** Opens a WebSocket by `ws`. */
export function socketOf(
  cookies: Cookies,
  options: RemoteOptions,
): ConnectSocket {
  return async (url, own, signal) => {
    const { WebSocket } = await optional<Ws>("ws", "a WebSocket");
    const cookie = await cookies.get(url);
    const headers = { ...own, ...(cookie !== "" && { cookie }) };
    const maxPayload = options.limits?.body ?? 64 * 1024 * 1024;
    const socket = new WebSocket(url, { headers, maxPayload });
    let stored = Promise.resolve();
    const store = ({ headers }: IncomingMessage): void => {
      stored = cookies.set(url, headers["set-cookie"] ?? []);
      stored.catch(() => undefined);
    };
    socket.on("upgrade", (response) => {
      store(response);
      cork(socket, response.socket);
    });
    await new Promise<void>((resolve, reject) => {
      let trouble = "";
      const abort = (): void => {
        socket.terminate?.();
      };
      signal.addEventListener("abort", abort);
      socket.on("unexpected-response", (_, response) => {
        store(response);
        const { statusCode: status = 0 } = response;
        const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
        const refuse = async (): Promise<void> => {
          await stored.catch(() => undefined);
          reject(await refused({ status, body }, maxPayload));
          abort();
        };
        void refuse();
      });
      socket.addEventListener("error", ({ message }) => {
        trouble = message === undefined ? "" : `: ${message}`;
      });
      socket.addEventListener("close", () => {
        signal.removeEventListener("abort", abort);
        reject(lost(`the WebSocket could not be opened${trouble}`));
      });
      socket.addEventListener("open", () => {
        signal.removeEventListener("abort", abort);
        resolve();
      });
    });
    try {
      await stored;
    } catch (error) {
      socket.terminate?.();
      throw lost(reasonOf(error), error);
    }
    return socket;
  };
}
