/** How long closing may take before the process ends anyway. */
const CLOSE_WITHIN_MS = 10_000;

/**
 * One Ctrl-C arrives up to four times: the terminal sends it to every process, and npm and the launcher pass it on. A
 * signal this soon after the first is the same one; a later one ends the process at once.
 */
const SAME_SIGNAL_MS = 1_000;

type Options = {
  /** Must not fail. */
  close(): Promise<void>;
  exit(code: number): void;
  nowMs(): number;
};

/** Answers what to do on each signal to end: the first closes the daemon and then ends the process with code 0. */
export function createClosing({ close, exit, nowMs }: Options): () => void {
  let sinceMs: number | undefined;
  return () => {
    if (sinceMs !== undefined) {
      if (nowMs() - sinceMs > SAME_SIGNAL_MS) exit(1);
      return;
    }
    sinceMs = nowMs();
    setTimeout(() => exit(0), CLOSE_WITHIN_MS).unref();
    void close().finally(() => exit(0));
  };
}
