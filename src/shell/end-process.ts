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
