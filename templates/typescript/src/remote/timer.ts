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
