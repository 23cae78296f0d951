/** How long closing may take before the app ends anyway, in milliseconds. The daemon gives running actions eight seconds. */
const CLOSE_WITHIN_MS = 12_000;

type Options = {
  /** Ends the running actions, then the agent, then the store. */
  close(): Promise<void>;
  exit(code: number): void;
};

/**
 * Answers the function that ends the app: it closes everything once, however often it is called, then exits with 0. It exits with 1 when
 * closing takes too long.
 */
export function createEnding({ close, exit }: Options): () => void {
  let isEnding = false;
  return () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => exit(1), CLOSE_WITHIN_MS).unref();
    void close().finally(() => exit(0));
  };
}

type Child = {
  /** Known once it runs. */
  pid: number | undefined;
  /** Asks the process to end. */
  kill(): unknown;
};

/**
 * Ends a process that can only be asked to end by itself: `SIGTERM` asks, `SIGKILL` goes by the process id and ends it for sure. A process that has
 * ended already is no error. Throws when the system does not let it end.
 */
export function endProcess(child: Child, signal: 'SIGTERM' | 'SIGKILL', kill = process.kill.bind(process)): void {
  if (signal === 'SIGTERM' || child.pid === undefined) {
    child.kill();
    return;
  }
  try {
    kill(child.pid, 'SIGKILL');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}
