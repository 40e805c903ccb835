// Connections over message ports and workers.

import { ConnectionError, wordsOf } from "./connection-error.js";
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
 *
 * A worker whose script cannot be loaded, or that throws what nobody catches,
 * ends the connection: calls fail with what it threw. It does not end this
 * process. Nor does the connection go on without a message that cannot be read.
 */
export function portStream(port: Port): MessageStream {
  let isEnded = false;
  let failure: ConnectionError | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      const end = (why?: ConnectionError): void => {
        if (isEnded) return;
        isEnded = true;
        failure = why;
        if (why === undefined) controller.close();
        // What came before it is not lost.
        else if ((controller.desiredSize ?? 0) > 0) controller.error(why);
      };
      listen(port, end, (message) => {
        if (message === null) end();
        else if (!isEnded) controller.enqueue(message as AnyMessage);
      });
    },
    pull(controller) {
      if (failure !== undefined) controller.error(failure);
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
  end: (why?: ConnectionError) => void,
  take: (message: unknown) => void,
): void {
  if (port.addEventListener === undefined) {
    port.on?.("message", take);
    // Without a listener it would end this process.
    port.on?.("error", (error) => {
      end(ended(wordsOf(error), error));
    });
    port.on?.("exit", (code) => {
      end(code === 0 ? undefined : ended(`exit code ${String(code)}`));
    });
    port.on?.("messageerror", (error) => {
      end(ended(`${UNREADABLE}: ${wordsOf(error)}`, error));
    });
    return;
  }
  port.addEventListener("message", (event) => {
    take((event as MessageEvent<unknown>).data);
  });
  port.addEventListener("close", () => {
    end();
  });
  port.addEventListener("messageerror", () => {
    end(ended(UNREADABLE));
  });
  // What happens at a worker's own global scope ends no connection to others.
  if (port !== globalThis) {
    port.addEventListener("error", (event) => {
      end(ended(failureOf(event as ErrorEvent), (event as ErrorEvent).error));
    });
  }
  port.start?.();
}

const UNREADABLE = "a message cannot be read";

/** What an event says of a worker's failure: without words, there is no script. */
function failureOf({ message, filename, lineno }: Partial<ErrorEvent>): string {
  if (!message) return "its script cannot be loaded";
  return filename ? `${message} (${filename}:${String(lineno)})` : message;
}

/** How a worker ended. */
function ended(how: string, cause?: unknown): ConnectionError {
  const message = `connection closed: worker: ${how}`;
  return new ConnectionError("closed", message, { cause });
}
