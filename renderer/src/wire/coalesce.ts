/**
 * Runs a task at most once at a time and once in `gapMs`. Whoever asks while it runs or rests is served by one run that
 * starts afterwards, so that it has seen whatever they ask about.
 */
export function createCoalesced<Result>(task: () => Promise<Result>, gapMs: number): () => Promise<Result> {
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
