/** Counts the agent's messages that answer no request. Returns true once one second has more of them than the limit. */
export type FloodGate = () => boolean;

const WINDOW_MS = 1_000;

export function createFloodGate({ perSecond, now }: { perSecond: number; now: () => number }): FloodGate {
  let windowStartMs = now();
  let count = 0;
  return () => {
    if (now() - windowStartMs >= WINDOW_MS) {
      windowStartMs = now();
      count = 0;
    }
    count += 1;
    return count > perSecond;
  };
}
