import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type RunProgram, runScript } from './run-script.ts';

const answer = Compile(Type.Object({ granted: Type.Boolean() }));

/** The call of macOS returns at once, also where it asks the person. */
const TIMEOUT_MS = 10_000;

/**
 * Puts the responsible app into the list of the Screen Recording pane, where the person then only has to switch it on: macOS adds
 * an app there when it asks for the permission. Once for each start of the agent, since macOS may show an alert, and only when an
 * action needs the permission. No picture is taken: a capture would add an alert of its own.
 */
export function createEnrolment(run: RunProgram): (signal: AbortSignal) => Promise<void> {
  let isDone = false;
  return async (signal) => {
    if (isDone) return;
    isDone = true;
    const request = { permission: 'screenRecording' };
    await runScript(run, { script: 'request-capture', request, answer, timeoutMs: TIMEOUT_MS, signal });
  };
}
