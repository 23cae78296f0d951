/** Resolves after the time, or as soon as the signal aborts. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/** How long to wait before another attempt, after so many that failed in a row. */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
}
