// Timers.

/** The longest time that timers take. */
const MAX = 2 ** 31 - 1;

/**
 * Does this once the time is over, in milliseconds; gives what prevents it. The
 * process may end before.
 */
export function later(time: number, action: () => void): () => void {
  const timer = setTimeout(action, Math.min(time, MAX));
  release(timer);
  return () => {
    clearTimeout(timer);
  };
}

/** A time that is over once. Somebody waits for it: the process does, too. */
export class Deadline {
  isOver = false;
  /** Prevents it. */
  readonly stop: () => void;

  /** Calls this when the time is over, in milliseconds. */
  constructor(time: number, over: () => void) {
    const timer = setTimeout(
      () => {
        this.isOver = true;
        over();
      },
      Math.min(time, MAX),
    );
    this.stop = () => {
      clearTimeout(timer);
    };
  }
}

/** Does this again and again; gives what ends it. The process may end. */
export function often(time: number, action: () => void): () => void {
  const timer = setInterval(action, Math.min(time, MAX));
  release(timer);
  return () => {
    clearInterval(timer);
  };
}

/** Lets the process end before. */
function release(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}

/** How many messages go out before something may come in. */
const AT_ONCE = 64;

/**
 * The turns of who sends: whoever sends on and on would never hear that the
 * other end is gone, and would hold up everybody else.
 */
export class Turns {
  /** How many messages went out in this one. */
  count = 0;

  /** Lets whatever waits have its turn, if it is time. */
  async take(): Promise<void> {
    if (this.count < AT_ONCE) return;
    this.count = 0;
    await new Promise<void>((resolve) => {
      if ("setImmediate" in globalThis) setImmediate(resolve);
      else setTimeout(resolve);
    });
  }
}
