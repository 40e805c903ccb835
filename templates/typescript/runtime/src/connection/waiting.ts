// Messages that wait for their turn.

/** What a message takes beside its text, about. */
const OVERHEAD = 256;

/** Messages that wait, in order. Any can be taken out, however many there are. */
export class Waiting<M extends { readonly size: number }> {
  readonly #messages = new Set<M>();
  /** Gives what comes after the first. */
  #rest: Iterator<M> = this.#messages.values();
  #first: M | undefined;
  #size = 0;

  /** How many there are. */
  get length(): number {
    return this.#messages.size;
  }

  /** How much they take, about. */
  get size(): number {
    return this.#size;
  }

  /** The first, if there is one. */
  get first(): M | undefined {
    this.#first ??= this.#next();
    return this.#first;
  }

  /** Adds a message. */
  push(message: M): void {
    this.#messages.add(message);
    this.#size += message.size + OVERHEAD;
  }

  /** Takes a message out. Says whether it was there. */
  take(message: M): boolean {
    if (!this.#messages.delete(message)) return false;
    this.#size -= message.size + OVERHEAD;
    if (message === this.#first) this.#first = undefined;
    return true;
  }

  [Symbol.iterator](): Iterator<M> {
    return this.#messages.values();
  }

  /** Goes on where it was: from the beginning, what is gone would be passed over again and again. */
  #next(): M | undefined {
    let next = this.#rest.next();
    if (next.done === true) {
      this.#rest = this.#messages.values();
      next = this.#rest.next();
    }
    return next.done === true ? undefined : next.value;
  }
}
