import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TrashedPath } from '../../src/contract/file-undo.ts';
import type { ResolvedPath, TrashedFile, TrashFileParameters } from '../../src/contract/files.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';
import { withinDeadline } from '../drivers/stopping.ts';
import { failed, fileFailure, isFailed, targetChanged } from './failures.ts';
import { reasonAgainstMoving } from './holds-secret.ts';
import { identityOf } from './identity.ts';
import { isStillThere, judgedPath, openParent, ownPlaces } from './judged-file.ts';
import { moveToTrash } from './linux-trash.ts';
import { moveToFinderTrash } from './macos-trash.ts';
import { movable } from './move-file.ts';
import { personsHome } from './resolve-paths.ts';

/** Moves a judged file or folder to the trash of the desktop. */
export async function trashFile({ path }: TrashFileParameters, attempt: Attempt): Promise<Outcome<TrashedFile>> {
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
      const trashedTo =
        process.platform === 'darwin'
          ? await moveToFinderTrash(realPath, attempt)
          : await moveToTrash(
              { from: place.folder.at(place.name), realPath },
              { home: personsHome(), now: new Date() },
            );
      if (typeof trashedTo !== 'string') return trashedTo;
      const details = `Moved ${realPath} to the trash.`;
      const undo = await undoOf(judged, trashedTo);
      return { ok: true, details, effect: 'confirmed', data: { path: realPath, trashedTo }, ...(undo && { undo }) };
    } finally {
      await place.folder.close();
    }
  } catch (error) {
    return fileFailure(error, realPath);
  }
}

/** The facts that an undo needs to put the file back. Undefined if the trash hides its contents. */
async function undoOf(judged: ResolvedPath, trashedTo: string): Promise<TrashedPath | undefined> {
  const { realPath: path, folder, kind, identity } = judged;
  const holder = await stat(dirname(trashedTo), { bigint: true }).catch(() => undefined);
  if (identity === undefined || holder === undefined) return undefined;
  const left = { path: trashedTo, identity, folder: identityOf(holder) };
  return { kind: 'trashed', path, folder, isFolder: kind === 'folder', left };
}
