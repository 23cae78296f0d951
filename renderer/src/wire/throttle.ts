/**
 * Runs a task at most once at a time and once in `gapMs`. Calls during a run or a pause share one run that starts
 * afterwards, so that its result is newer than each of those calls.
 */
export function createThrottled<Result>(task: () => Promise<Result>, gapMs: number): () => Promise<Result> {
  let rested = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= rested.then(() => {
      next = undefined;
      const run = task();
      rested = Promise.allSettled([run]).then(() => rest(gapMs));
      return run;
    });
    return next;
  };
}

function rest(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
