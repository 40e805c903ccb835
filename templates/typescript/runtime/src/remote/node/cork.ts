// Fewer and larger writes.

import type { Duplex } from "node:stream";

import type { WebSocketLike } from "../socket.js";

/** How many characters are held back at most. */
const CHUNK = 64 * 1024;

/** Has what a WebSocket sends in one go be written to its socket in one go. */
export function cork(socket: WebSocketLike, raw: Duplex): void {
  const send = socket.send.bind(socket);
  let isCorked = false;
  let held = 0;
  const uncork = (): void => {
    isCorked = false;
    held = 0;
    raw.uncork();
  };
  socket.send = (text) => {
    if (!isCorked) {
      isCorked = true;
      raw.cork();
      process.nextTick(() => {
        if (isCorked) uncork();
      });
    }
    send(text);
    held += text.length;
    if (held > CHUNK) uncork();
  };
}
