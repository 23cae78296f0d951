/** Gives the place in the lane to the next caller. Calling it again changes nothing. */
export type Leave = () => void;

/** Work that takes long on the daemon's one thread, done by one caller at a time. */
export type SlowLane = {
  /** Resolves when it is this caller's turn. The turn lasts until the caller leaves. */
  turn(): Promise<Leave>;
};

/**
 * Gives callers turns in the order in which they came, and looks at the network between two of them. A caller that pauses within its
 * turn keeps it, so only one caller at a time has half-finished work in memory.
 */
export function createSlowLane(): SlowLane {
  const waiting: ((leave: Leave) => void)[] = [];
  let isTaken = false;

  function next(): void {
    const enter = waiting.shift();
    isTaken = enter !== undefined;
    enter?.(createLeave());
  }

  function createLeave(): Leave {
    let hasLeft = false;
    return () => {
      if (!hasLeft) setImmediate(next);
      hasLeft = true;
    };
  }

  return {
    turn() {
      const { promise, resolve } = Promise.withResolvers<Leave>();
      waiting.push(resolve);
      if (!isTaken) setImmediate(next);
      isTaken = true;
      return promise;
    },
  };
}
