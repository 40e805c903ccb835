// Things that the other end is told of, from their start to their end.

/** What goes on between the start and the end of something. */
export type ProgressWork<Begun, T> = (begun: Begun) => T | PromiseLike<T>;

/** Choices about what is told of from its start to its end. */
export interface ProgressOptions {
  /** Ends it as cancelled. */
  readonly signal?: AbortSignal;
}

/** Something that begins, changes, and ends once. */
export abstract class Progress<Update> {
  /** What tells it apart from others. */
  protected readonly key_: string;
  readonly #tell: (update: Update) => Promise<void>;
  #hasEnded = false;
  #signal: AbortSignal | undefined;

  /** @internal */
  constructor(key: string, tell: (update: Update) => Promise<void>) {
    this.key_ = key;
    this.#tell = tell;
  }

  /** Tells that it is done. */
  abstract complete(): Promise<void>;

  /** Tells that it has failed. */
  abstract fail(): Promise<void>;

  /** Tells that a cancelled turn has ended it. */
  abstract cancel(): Promise<void>;

  /**
   * Waits for `work`, and tells how it ended: what throws has failed. What it
   * throws is thrown.
   */
  async run<T>(work: ProgressWork<this, T>): Promise<T> {
    let result: T;
    try {
      result = await work(this);
    } catch (error) {
      // Why it has failed counts for more than that this could not be told.
      await this.fail().catch(() => undefined);
      throw error;
    }
    await this.complete();
    return result;
  }

  /** Tells that it begins. Once the signal fires, it ends as cancelled. */
  protected async begin_(
    signal: AbortSignal | undefined,
    opening: Update,
  ): Promise<void> {
    signal?.throwIfAborted();
    await this.#tell(opening);
    if (signal?.aborted) await this.cancel();
    signal?.throwIfAborted();
    this.#signal = signal;
    signal?.addEventListener("abort", this.#aborted);
  }

  /** Tells of a change, unless it has ended. */
  protected async change_(update: Update): Promise<void> {
    if (!this.#hasEnded) await this.#tell(update);
  }

  /** Tells of its end, unless that was done. */
  protected async end_(update: Update): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    try {
      await this.#tell(update);
    } catch (error) {
      // It was not sent.
      this.#hasEnded = false;
      throw error;
    }
    this.#signal?.removeEventListener("abort", this.#aborted);
  }

  readonly #aborted = (): void => {
    // Without a connection there is nobody to tell.
    this.cancel().catch(() => undefined);
  };
}
