// A stream of events that a client reads.

import type { ConnectionError } from "../connection.js";
import { type Event, EventReader } from "./event-reader.js";
import { CLOSED } from "./event-stream.js";
import { passed } from "./limits.js";
import { isLost, lost, reasonOf, refused, RefusedError } from "./refused.js";
import { Deadline } from "./timer.js";

/** A stream of events that a client reads. */
export class ClientStream {
  /** Resolves when it is open; rejects if it cannot be. */
  readonly opened: Promise<void>;
  /** Whether its end was expected. */
  isDone = false;
  /** Whether the server has given it. */
  wasOpen = false;
  /** Whether the server has said that there is no such session. */
  wasUnknown = false;
  #abort: AbortController = new AbortController();
  #handled = 0;
  /** How often something has come, or was handled to its end. */
  #news = 0;
  /** Whether what has come is being handled. */
  #isBusy = false;
  #isOver = false;
  readonly #waiting: (() => void)[] = [];

  /**
   * Gives each event to `handle`, one after the other. `over` is called at the
   * end, with the reason. The server has so long to give the stream.
   */
  constructor(
    get: (signal: AbortSignal) => Promise<Response>,
    patience: number,
    limit: number,
    handle: (event: Event) => Promise<void>,
    over: (failure: ConnectionError) => void,
  ) {
    const deadline = new Deadline(patience, () => {
      this.#abort.abort();
    });
    const answer = get(this.#abort.signal)
      .then(async (response) => {
        if (response.status !== 200) {
          this.wasUnknown = response.status === 404;
          throw await refused(response, limit);
        }
        this.wasOpen = true;
        return response;
      })
      .catch((error: unknown) => {
        if (!deadline.isOver) throw error;
        throw lost(passed("opening", "no stream of events is given"));
      })
      .finally(deadline.stop);
    this.opened = answer.then(() => undefined);
    this.opened.catch(() => undefined);
    void answer
      .then((response) => this.#read(response, limit, handle))
      .then(
        (comment) => lost(comment),
        (error: unknown) =>
          error instanceof RefusedError || isLost(error)
            ? error
            : lost(`the stream of events broke off: ${reasonOf(error)}`, error),
      )
      .then((failure) => {
        this.#isOver = true;
        // What comes after an event that is too long is not waited for.
        this.#abort.abort();
        this.#change();
        over(failure);
      });
  }

  /** Reads nothing more. */
  stop(): void {
    this.isDone = true;
    this.#abort.abort();
  }

  /** Waits until so many events were handled, but not for too long. */
  handled(count: number, timeout: number): Promise<void> {
    return this.#until(() => this.#handled >= count, timeout);
  }

  /**
   * Waits until everything was handled, and the stream is over or nothing has
   * come for so long.
   */
  async rest(timeout: number): Promise<void> {
    let seen = -1;
    while (seen !== this.#news) {
      const news = this.#news;
      await this.#until(() => this.#news !== news, timeout);
      await this.#until(() => !this.#isBusy, Infinity);
      seen = news;
    }
  }

  /** Waits until this is so or the stream is over, but not for too long. */
  async #until(isSo: () => boolean, timeout: number): Promise<void> {
    const deadline = new Deadline(timeout, () => {
      this.#change();
    });
    while (!isSo() && !this.#isOver && !deadline.isOver) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    deadline.stop();
  }

  async #read(
    { body }: Response,
    limit: number,
    handle: (event: Event) => Promise<void>,
  ): Promise<string> {
    const events = new EventReader(limit);
    const reader = body?.getReader();
    while (reader !== undefined) {
      const { value } = await reader.read();
      if (value === undefined) break;
      this.#news += 1;
      this.#isBusy = true;
      for (const event of events.receive(value)) {
        await handle(event);
        if (this.#abort.signal.aborted) return "";
        this.#handled += 1;
        this.#change();
      }
      this.#isBusy = false;
      this.#news += 1;
      this.#change();
    }
    const { comment } = events;
    return comment.startsWith(CLOSED)
      ? comment.slice(CLOSED.length)
      : "the stream of events ended";
  }

  #change(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
