// How long the opening of a connection over a WebSocket may take.

import type { RequestEnvelope, ResponseEnvelope } from "./envelope.js";
import { passed } from "./limits.js";
import { later } from "./timer.js";

/** Waits for the answer to the request that opens a connection. */
export class OpeningWatch {
  readonly #opens: string | undefined;
  readonly #time: number;
  readonly #late: (reason: string) => void;
  /** The id of the request, while that waits. */
  #id: string | undefined;
  #stop: () => void = () => undefined;

  /** `late` is called if that takes longer, in milliseconds. */
  constructor(
    opens: string | undefined,
    time: number,
    late: (reason: string) => void,
  ) {
    this.#opens = opens;
    this.#time = time;
    this.#late = late;
  }

  /** Sees what the client asks. */
  asked({ id, method }: RequestEnvelope): void {
    if (this.#opens === undefined || method !== this.#opens) return;
    this.#stop();
    this.#id = id;
    this.#stop = later(this.#time, () => {
      this.#late(passed("opening", "the opening was not answered"));
    });
  }

  /** Sees what the server answers. */
  answered({ id }: ResponseEnvelope): void {
    if (id !== this.#id) return;
    this.#id = undefined;
    this.#stop();
  }
}
