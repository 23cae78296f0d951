import type { TrashedFile, TrashFileParameters } from '../../src/contract/files.ts';
import type { Attempt, Outcome } from '../drivers/driver.ts';
import { withinDeadline } from '../drivers/stopping.ts';
import { failed, fileFailure, isFailed, targetChanged } from './failures.ts';
import { reasonAgainstMoving } from './holds-secret.ts';
import { isStillThere, judgedPath, openParent } from './judged-file.ts';
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
    const reason = judged.kind === 'folder' ? await reasonAgainstMoving(realPath, withinDeadline(attempt)) : undefined;
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
      return { ok: true, details, effect: 'confirmed', data: { path: realPath, trashedTo } };
    } finally {
      await place.folder.close();
    }
  } catch (error) {
    return fileFailure(error, realPath);
  }
}
