/** A work that says nothing for half a minute looks like one that hangs. */
const TELL_AFTER_MS = 25_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Says what a long work is at, whenever nothing was printed for long. A timer looks after it. A work that lets no timer come says again and
 * again what it is at.
 */
export function createProgress(print: (line: string) => void, nowMs: () => number) {
  const begunAtMs = nowMs();
  let printedAtMs = begunAtMs;
  let what: string | undefined;

  function look(): void {
    if (what === undefined || nowMs() - printedAtMs < TELL_AFTER_MS) return;
    printedAtMs = nowMs();
    print(`  … ${what}, ${Math.round((nowMs() - begunAtMs) / 1_000)} s after the start`);
  }

  return {
    at(work: string): void {
      what = work;
      look();
    },
    /** Something was printed just now. */
    printed(): void {
      printedAtMs = nowMs();
    },
    look,
  };
}

/** Of this process. It does not keep the process alive. */
export const progress = createProgress(console.error, () => performance.now());
setInterval(progress.look, LOOK_EVERY_MS).unref();
