import { lstat, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ResolvedPath, TrashedFile, TrashedPath, TrashFileParameters } from '../../src/contract/files.ts';
import { runProgram } from '../drivers/exec.ts';
import { runScript } from '../drivers/macos/run-script.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure, withinDeadline } from '../drivers/stopping.ts';
import { failed, fileFailure, isFailed, targetChanged } from './failures.ts';
import { reasonAgainstMoving } from './holds-secret.ts';
import { identityOf, isSame } from './identity.ts';
import { isStillThere, judgedPath, openParent, ownPlaces } from './judged-file.ts';
import { infoOf, moveToTrash } from './linux-trash.ts';
import { movable } from './move-file.ts';
import { personsHome } from './resolve-paths.ts';

const Answer = Compile(Type.Object({ trashedTo: Type.String() }));

/** The Finder takes a path, and no open folder. */
export type Finder = (realPath: string, attempt: Attempt) => Promise<string | Failed>;
const finderHere: Finder | undefined = process.platform === 'darwin' ? moveToFinderTrash : undefined;

/** Moves a judged file or folder to the trash of the desktop. */
export async function trashFile(
  { path }: TrashFileParameters,
  attempt: Attempt,
  finder = finderHere,
): Promise<Outcome<TrashedFile>> {
  const judged = movable(judgedPath(attempt, path));
  if (isFailed(judged)) return judged;
  const { realPath } = judged;
  try {
    const looked = { signal: withinDeadline(attempt), own: ownPlaces(attempt) };
    const reason = judged.kind === 'folder' ? await reasonAgainstMoving(judged, looked) : undefined;
    if (reason !== undefined) return failed('invalid_target', `${realPath} stays where it is: ${reason}.`);
    const place = await openParent(judged);
    if (isFailed(place)) return place;
    try {
      if (!(await isStillThere(place, judged))) return targetChanged(realPath);
      const from = finder === undefined ? place.folder.at(place.name) : realPath;
      const trashedTo = await (finder?.(realPath, attempt) ??
        moveToTrash({ from, realPath }, { home: personsHome(), now: new Date() }));
      if (typeof trashedTo !== 'string') return trashedTo;
      if (!(await isJudged(trashedTo, judged))) return await putBack(trashedTo, { from, realPath });
      const details = `Moved ${realPath} to the trash.`;
      const undo = await undoOf(judged, trashedTo);
      return { ok: true, details, effect: 'confirmed', data: { path: realPath, trashedTo }, undo };
    } finally {
      await place.folder.close();
    }
  } catch (error) {
    return fileFailure(error, realPath);
  }
}

async function isJudged(trashedTo: string, { identity }: ResolvedPath): Promise<boolean> {
  const facts = await lstat(trashedTo, { bigint: true }).catch(() => undefined);
  // On another disk it is a copy.
  return facts === undefined || identity?.device !== String(facts.dev) || isSame(identityOf(facts), identity);
}

/** Another program put another file at the path right before the move. That file goes back to where it came from, if the place is free. */
async function putBack(trashedTo: string, { from, realPath }: { from: string; realPath: string }): Promise<Failed> {
  const isFree = await lstat(from).then(
    () => false,
    () => true,
  );
  const isBack =
    isFree &&
    (await rename(trashedTo, from).then(
      () => true,
      () => false,
    ));
  if (!isBack)
    return failed('target_changed', `Another file at ${realPath} went to the trash; it is ${trashedTo}.`, {
      sideEffect: 'done',
      fix: 'Put it back from the trash.',
    });
  await rm(infoOf(trashedTo), { force: true });
  return targetChanged(realPath);
}

/** The facts that an undo needs to put the file back. Undefined if the trash hides its contents. */
async function undoOf(judged: ResolvedPath, trashedTo: string): Promise<TrashedPath | undefined> {
  const { realPath: path, folder, kind, identity } = judged;
  const holder = await stat(dirname(trashedTo), { bigint: true }).catch(() => undefined);
  if (identity === undefined || holder === undefined) return undefined;
  const left = { path: trashedTo, identity, folder: identityOf(holder) };
  return { kind: 'trashed', path, folder, isFolder: kind === 'folder', left };
}

/** Moves a file to the Finder's trash by `NSFileManager`, which needs no permission of Automation. Answers where it is there. */
async function moveToFinderTrash(
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
