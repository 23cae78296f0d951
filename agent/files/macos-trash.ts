import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { runProgram } from '../drivers/exec.ts';
import { runScript } from '../drivers/macos/run-script.ts';
import type { Attempt, Failed } from '../drivers/outcome.ts';
import { stoppedFailure } from '../drivers/stopping.ts';
import { failed } from './failures.ts';

const Answer = Compile(Type.Object({ trashedTo: Type.String() }));

/** Moves a file to the Finder's trash by `NSFileManager`, which needs no permission of Automation. Answers where it is there. */
export async function moveToFinderTrash(
  realPath: string,
  { signal, deadlineMs }: Attempt,
  run = runProgram,
): Promise<string | Failed> {
  const request = { path: realPath };
  const answer = await runScript(run, { script: 'trash-file', request, answer: Answer, timeoutMs: deadlineMs, signal });
  if (answer.ok) return answer.data.trashedTo;
  if (answer.reason === 'aborted') return stoppedFailure(signal, 'unknown');
  return failed('permission_missing', `${realPath}: the Finder's trash did not take it: ${answer.message}`, {
    fix: 'Allow Handrail in System Settings > Privacy & Security > Files & Folders.',
    sideEffect: 'unknown',
  });
}
