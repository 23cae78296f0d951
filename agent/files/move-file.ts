import { link, lstat, rename, unlink } from 'node:fs/promises';
import type { MovedFile, MoveFileParameters, ResolvedPath } from '../../src/contract/files.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { withinDeadline } from '../drivers/stopping.ts';
import type { AnchoredFolder } from './anchored-folder.ts';
import { failed, fileFailure, isCode, isFailed, targetChanged } from './failures.ts';
import { isStillThere, judgedPath, openParent, ownPlaces } from './judged-file.ts';
import { lookInto } from './look-into.ts';
import { reasonAgainstMoving } from './secrets.ts';

type Place = { folder: AnchoredFolder; name: string };

/** Moves a judged file or folder to a place where nothing is. */
export async function moveFile({ from, to }: MoveFileParameters, attempt: Attempt): Promise<Outcome<MovedFile>> {
  const source = movable(judgedPath(attempt, from));
  if (isFailed(source)) return source;
  const target = judgedPath(attempt, to);
  if (isFailed(target)) return target;
  // guard E2-15
  if (target.kind !== 'missing')
    return failed('already_exists', `${target.realPath} exists; nothing was done.`, { fix: 'Choose another name.' });
  try {
    const looked = { signal: withinDeadline(attempt), to: target.realPath, own: ownPlaces(attempt) };
    const reason = source.kind === 'folder' ? await reasonAgainstMoving(source, looked) : undefined;
    if (reason !== undefined) return failed('invalid_target', `${source.realPath} stays where it is: ${reason}.`);
    if (await hasOtherContents(source)) return otherContents(source.realPath); // guard F9-1
    return await betweenFolders(source, target);
  } catch (error) {
    return fileFailure(error, source.realPath);
  }
}

/** Whether the contents have changed since the move was judged. */
async function hasOtherContents(source: ResolvedPath): Promise<boolean> {
  return source.digest !== undefined && (await lookInto(source)).digest !== source.digest;
}

function otherContents(realPath: string): Failed {
  const message = `${realPath} has other contents than those that were judged; nothing was done.`;
  return failed('target_changed', message, { fix: 'Submit it again.' });
}

/** A file or folder that is there and may be moved. */
export function movable(judged: ResolvedPath | Failed): ResolvedPath | Failed {
  if (isFailed(judged) || judged.kind === 'file' || judged.kind === 'folder') return judged;
  return failed('target_gone', `${judged.realPath} does not exist.`);
}

async function betweenFolders(source: ResolvedPath, target: ResolvedPath): Promise<Outcome<MovedFile>> {
  const here = await openParent(source);
  if (isFailed(here)) return here;
  try {
    const there = await openParent(target);
    if (isFailed(there)) return there;
    try {
      if (!(await isStillThere(here, source))) return targetChanged(source.realPath);
      await take(here, there, source.kind === 'folder');
      await Promise.all([here.folder.sync(), there.folder.sync()]);
      return await moved(there, { source, target });
    } finally {
      await there.folder.close();
    }
  } finally {
    await here.folder.close();
  }
}

/** Gives the file its new name without replacing a file that has taken the name meanwhile. */
export async function take(here: Place, there: Place, isFolder: boolean): Promise<void> {
  const [from, to] = [here.folder.at(here.name), there.folder.at(there.name)];
  if (isFolder) {
    // A folder can replace only an empty folder, so nothing can be lost.
    await rename(from, to);
    return;
  }
  try {
    await link(from, to);
  } catch (error) {
    if (!isCode(error, 'EPERM') && !isCode(error, 'ENOTSUP')) throw error;
    // This disk has no second names for a file.
    await rename(from, to);
    return;
  }
  await unlink(from);
}

async function moved(
  { folder, name }: Place,
  { source, target }: { source: ResolvedPath; target: ResolvedPath },
): Promise<Outcome<MovedFile>> {
  const { dev, ino } = await lstat(folder.at(name), { bigint: true });
  const isConfirmed = String(ino) === source.identity?.inode && String(dev) === source.identity.device;
  const details = `Moved ${source.realPath} to ${target.realPath}.`;
  const data = { from: source.realPath, to: target.realPath };
  return { ok: true, details, effect: isConfirmed ? 'confirmed' : 'unverified', data };
}
