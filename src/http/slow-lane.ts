/** Work that takes long on the daemon's one thread, done a piece at a time. */
export type SlowLane = {
  /** Resolves when it is this caller's turn. What it then does before its next await is one piece. */
  turn(): Promise<void>;
};

/**
 * Lets one caller at a time go on, in the order in which they came, and looks at the network between two of them: however many
 * wait, a call outside of the lane waits for one piece of work at most.
 */
export function createSlowLane(): SlowLane {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return {
    turn() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
      return promise;
    },
  };
}
