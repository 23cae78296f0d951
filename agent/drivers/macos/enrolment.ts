import { capture } from './capture.ts';
import type { RunProgram } from './run-script.ts';

/**
 * Puts the responsible app into the list of the Screen Recording pane, where the person then only has to switch it on: macOS adds
 * an app there when it tries to capture. One attempt for each start of the agent, since each may show an alert, and only when an
 * action needs the permission. The picture of one point is thrown away.
 */
export function createEnrolment(run: RunProgram): (signal: AbortSignal) => Promise<void> {
  let isDone = false;
  return async (signal) => {
    if (isDone) return;
    isDone = true;
    await capture(run, { kind: 'region', bounds: { x: 0, y: 0, width: 1, height: 1 } }, signal);
  };
}
