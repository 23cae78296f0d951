/**
 * Waits for the work, and once the signal has aborted no longer than the patience: then for `giveUp` in its place.
 * Work that is given up goes on unheard.
 */
export function untilStuck<Result>(
  work: Promise<Result>,
  { signal, patienceMs, giveUp }: { signal: AbortSignal; patienceMs: number; giveUp: () => Result },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let patience: NodeJS.Timeout | undefined;
    const startClock = () => {
      patience = setTimeout(() => resolve(giveUp()), patienceMs);
    };
    const rest = () => {
      clearTimeout(patience);
      signal.removeEventListener('abort', startClock);
    };
    signal.addEventListener('abort', startClock, { once: true });
    work.then(
      (result) => {
        rest();
        resolve(result);
      },
      (error: unknown) => {
        rest();
        reject(error);
      },
    );
  });
}
