// Connections over message ports and workers.

import {
  type AnyMessage,
  type MessageStream,
  messageStream,
} from "./stream.js";

/**
 * What messages are posted to and come from: a `MessagePort`, a `Worker`, the
 * global scope of a worker, or what Node has like these.
 */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener?(type: string, listener: (event: unknown) => void): void;
  on?(event: string, listener: (message?: unknown) => void): unknown;
  start?(): void;
  close?(): void;
}

/**
 * A connection over a message port or a worker, with parsed messages. Each end
 * says by `null` that nothing more comes. Ports have no backpressure.
 */
export function portStream(port: Port): MessageStream {
  let isEnded = false;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      const end = (): void => {
        if (!isEnded) controller.close();
        isEnded = true;
      };
      listen(port, end, (message) => {
        if (message === null) end();
        else if (!isEnded) controller.enqueue(message as AnyMessage);
      });
    },
    cancel() {
      isEnded = true;
    },
  });
  const writable = new WritableStream<AnyMessage | readonly AnyMessage[]>({
    write(message) {
      port.postMessage(message);
    },
    close() {
      port.postMessage(null);
    },
  });
  const dispose = (): void => {
    // Of a worker's global scope, that would end the worker.
    if (port.start !== undefined) port.close?.();
  };
  return { ...messageStream(writable, readable), dispose };
}

function listen(
  port: Port,
  end: () => void,
  take: (message: unknown) => void,
): void {
  if (port.addEventListener === undefined) {
    port.on?.("message", take);
    port.on?.("exit", end);
    return;
  }
  port.addEventListener("message", (event) => {
    take((event as MessageEvent<unknown>).data);
  });
  port.addEventListener("close", end);
  port.start?.();
}
