import { constants } from 'node:fs';
import { copyFile, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type {
  FileIdentity,
  OverwrittenFile,
  TrashedPath,
  UndoFileParameters,
  UndoneFile,
} from '../../src/contract/files.ts';
import type { Failed, Outcome } from '../drivers/outcome.ts';
import { identityOf, isSame, openFolder } from './anchored-folder.ts';
import { failed, fileFailure, isCode, isFailed } from './failures.ts';
import { take } from './move-file.ts';
import { type Place, sha256At, sha256Of, temporaryIn } from './write-file.ts';

/**
 * Puts a file back that an action overwrote or moved to the trash. Nothing newer is overwritten: the file that is at the place now
 * must be the one that the action left. A call that comes twice finds the file in its place and says so.
 */
export async function undoFile({ undo, formerAt }: UndoFileParameters): Promise<Outcome<UndoneFile>> {
  try {
    const place = await openPlace(undo.path, undo.folder);
    if (isFailed(place)) return place;
    try {
      return undo.kind === 'trashed' ? await fromTrash(undo, place) : await fromCopy(undo, place, formerAt);
    } finally {
      await place.folder.close();
    }
  } catch (error) {
    return fileFailure(error, undo.path);
  }
}

/** The folder in which a file was or is. A folder that was replaced or removed since then is not used. */
async function openPlace(path: string, judged: FileIdentity): Promise<Place | Failed> {
  const folder = await openFolder(dirname(path), judged).catch((error: unknown) => {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR') || isCode(error, 'ELOOP')) return undefined;
    throw error;
  });
  if (folder !== undefined) return { folder, name: basename(path) };
  return failed('target_gone', `The folder ${dirname(path)} is not the one that held the file; nothing was done.`);
}

async function fromCopy(
  undo: OverwrittenFile,
  place: Place,
  formerAt: string | undefined,
): Promise<Outcome<UndoneFile>> {
  const { path, former } = undo;
  if (formerAt === undefined || !(await exists(formerAt))) return noLongerKept(path);
  const temporary = temporaryIn(place.folder);
  try {
    await copyWhole(formerAt, temporary, former.mode);
    if ((await sha256At(temporary)) !== former.sha256) return spoiled(path);
    const found = await presentFile(undo, place);
    if (found === 'former') return isBack(path, await identityAt(place), 'already');
    if (found === 'other') return changedSince(path);
    if (found === 'none') await link(temporary, place.folder.at(place.name));
    else await rename(temporary, place.folder.at(place.name));
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
  await place.folder.sync();
  return isBack(path, await identityAt(place), 'now');
}

async function copyWhole(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const handle = await open(to, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Tells which file is at the place now: the one that the action left, the former version, none, or another. */
async function presentFile(
  { left, former }: OverwrittenFile,
  { folder, name }: Place,
): Promise<'left' | 'former' | 'none' | 'other'> {
  const handle = await open(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (isCode(error, 'ENOENT')) return 'none' as const;
      if (isCode(error, 'ELOOP') || isCode(error, 'ENXIO')) return 'other' as const;
      throw error;
    },
  );
  if (typeof handle === 'string') return handle;
  try {
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) return 'other';
    const sha256 = await sha256Of(handle);
    if (sha256 === former.sha256 && sha256 !== left.sha256) return 'former';
    const after = await lstat(folder.at(name), { bigint: true });
    const isUntouched = after.mtimeNs === facts.mtimeNs && isSame(identityOf(after), identityOf(facts));
    return isUntouched && sha256 === left.sha256 && isSame(identityOf(facts), left.identity) ? 'left' : 'other'; // guard F6-1
  } finally {
    await handle.close();
  }
}

async function fromTrash(undo: TrashedPath, place: Place): Promise<Outcome<UndoneFile>> {
  const { path, left, isFolder } = undo;
  const there = await identityAt(place);
  if (isSame(there, left.identity)) return isBack(path, left.identity, 'already');
  if (there !== undefined) return taken(path);
  const trash = await openPlace(left.path, left.folder);
  if (isFailed(trash)) return noLongerInTrash(path);
  try {
    const found = await identityAt(trash);
    if (!isSame(found, left.identity)) return noLongerInTrash(path); // guard F6-2
    await take(trash, place, isFolder);
    await removeInfo(left.path);
    await Promise.all([trash.folder.sync(), place.folder.sync()]);
  } finally {
    await trash.folder.close();
  }
  return isBack(path, await identityAt(place), 'now');
}

/** The trash of Linux has a description of each file; without its file it means nothing. */
async function removeInfo(trashedTo: string): Promise<void> {
  if (process.platform === 'darwin') return;
  const info = join(dirname(dirname(trashedTo)), 'info', `${basename(trashedTo)}.trashinfo`);
  await unlink(info).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error;
  });
}

async function identityAt({ folder, name }: Place): Promise<FileIdentity | undefined> {
  const facts = await lstat(folder.at(name), { bigint: true }).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  return facts === undefined ? undefined : identityOf(facts);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isBack(path: string, identity: FileIdentity | undefined, when: 'now' | 'already'): Outcome<UndoneFile> {
  if (identity === undefined) return changedSince(path);
  const details = when === 'now' ? `${path} is back.` : `${path} was back already.`;
  return { ok: true, details, effect: 'confirmed', data: { path, identity } };
}

function changedSince(path: string): Failed {
  return failed('target_changed', `${path} was changed after this action wrote it, so it stays as it is.`, {
    fix: 'If a later action changed it, undo that one first.',
  });
}

function taken(path: string): Failed {
  return failed('already_exists', `Another file is at ${path} now, so the trashed one stays in the trash.`, {
    fix: 'Move or rename that file, then try again.',
  });
}

function noLongerInTrash(path: string): Failed {
  return failed('target_gone', `${path} is no longer in the trash, or was replaced there; nothing was done.`);
}

function noLongerKept(path: string): Failed {
  return failed('target_gone', `The former version of ${path} is no longer kept; nothing was done.`, {
    fix: 'Restore it from a backup, such as Time Machine.',
  });
}

function spoiled(path: string): Failed {
  return failed('internal_error', `The kept version of ${path} is not as it was stored; nothing was done.`);
}
