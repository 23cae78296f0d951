import { type BigIntStats, constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ResolvedPath } from '../../src/contract/files.ts';
import type { Attempt, Failed } from '../drivers/outcome.ts';
import { judgedFile, judgedFiles } from '../targets/judged-targets.ts';
import { type AnchoredFolder, identityOf, isSame, openFolder } from './anchored-folder.ts';
import { failed, isFailed, targetChanged } from './failures.ts';
import { secretUnderAnotherName } from './secrets.ts';

/** Where a path led when it was judged. Without that the action does nothing. */
export function judgedPath(attempt: Attempt, path: string): ResolvedPath | Failed {
  const judged = judgedFile(attempt, path);
  if (judged === undefined) return targetChanged(path);
  if (judged.secret === undefined && judged.kind !== 'special') return judged; // guard F3-1
  return failed('invalid_target', `${judged.realPath} is no file that an action may touch.`);
}

/** Places that the daemon wants untouched wherever they are: its own data and program. The agent does not know them. */
export function ownPlaces(attempt: Pick<Attempt, 'targets'>): ReadonlySet<string> {
  return new Set(judgedFiles(attempt).flatMap(({ realPath, secret }) => (secret === undefined ? [] : realPath)));
}

/** Opens a judged file. A link or another file at its path is refused; a pipe never blocks. */
export async function openJudged(
  judged: ResolvedPath,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle | Failed> {
  const place = await openParent(judged);
  if (isFailed(place)) return place;
  const { folder, name } = place;
  const handle = await folder.open(name, flags | constants.O_NONBLOCK).finally(() => folder.close());
  const facts = await handle.stat({ bigint: true });
  const secret = secretUnderAnotherName([...folder.chain, facts]);
  if (secret === undefined && facts.isFile() && isSame(identityOf(facts), judged.identity)) return handle; // guard F2-1
  await handle.close();
  if (secret === undefined) return targetChanged(judged.realPath);
  return failed('invalid_target', `${judged.realPath} is ${secret}; nothing was done.`);
}

/** The folder that holds a judged file, or would hold it, and the name of the file in it. */
export async function openParent(judged: ResolvedPath): Promise<{ folder: AnchoredFolder; name: string } | Failed> {
  const folder = await openFolder(dirname(judged.realPath), judged.folder);
  return folder === undefined ? targetChanged(judged.realPath) : { folder, name: basename(judged.realPath) };
}

/** Whether an entry of an open folder is still the file or folder that was judged. */
export async function isStillThere(
  { folder, name }: { folder: AnchoredFolder; name: string },
  judged: ResolvedPath,
): Promise<boolean> {
  return isSame(identityOf(await folder.look(name)), judged.identity);
}

/** The permission bits of a file, without those that let a program run as another user. */
export function permissionsOf({ mode }: Pick<BigIntStats, 'mode'>): number {
  return Number(mode) & 0o777; // guard E2-14
}
