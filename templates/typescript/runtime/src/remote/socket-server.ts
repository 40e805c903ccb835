// A WebSocket that a server has accepted.

import { errorLine } from "./answers.js";
import { Dialog } from "./dialog.js";
import { mayAsk, open } from "./envelope.js";
import { passed, type RemoteLimits } from "./limits.js";
import { OpeningWatch } from "./opening.js";
import type { RemoteRules } from "./rules.js";
import {
  GONE,
  PROTOCOL,
  SocketPipe,
  type SocketWatch,
  type WebSocketLike,
} from "./socket.js";
import { later } from "./timer.js";

/** A WebSocket that a server has accepted. */
export interface ServedSocket {
  readonly pipe: SocketPipe;
  readonly dialog: Dialog;
}

/** Serves a WebSocket. Its first message has to be the one that opens. */
export function serveSocket(
  socket: WebSocketLike,
  rules: RemoteRules,
  limits: RemoteLimits,
): ServedSocket {
  const dialog = new Dialog(rules);
  const { opens } = rules;
  let isOpen = opens === undefined;
  const opening = new OpeningWatch(opens, limits.opening, (reason) => {
    pipe.stop(GONE, reason);
  });
  const watch: SocketWatch = {
    mayClose: true,
    received(line) {
      if (isOpen && !mayAsk(line)) return undefined;
      const { single, all } = open(line, rules);
      if (!isOpen) {
        const isRequest = single?.kind === "request" && single.method === opens;
        if (!isRequest) {
          const reason = `the first message has to be ${String(opens)}`;
          const id =
            single !== undefined && "id" in single ? single.id : "null";
          return { answer: errorLine(reason, id), reason };
        }
        isOpen = true;
        stop?.();
      }
      for (const each of all) {
        if (each.kind !== "request") continue;
        dialog.ask(each);
        opening.asked(each);
      }
      return undefined;
    },
    sent(line) {
      if (!mayAsk(line)) return;
      for (const each of open(line, rules).all) {
        if (each.kind !== "response") continue;
        dialog.answer(each);
        opening.answered(each);
      }
    },
  };
  const pipe = new SocketPipe(socket, limits, watch);
  const stop = isOpen
    ? undefined
    : later(limits.opening, () => {
        pipe.stop(PROTOCOL, passed("opening", "nothing opened the connection"));
      });
  return { pipe, dialog };
}
