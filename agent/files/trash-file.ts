import { lstat, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ResolvedPath, TrashedFile, TrashedPath, TrashFileParameters } from '../../src/contract/files.ts';
import { runProgram } from '../drivers/exec.ts';
import { runScript } from '../drivers/macos/run-script.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure, withinDeadline } from '../drivers/stopping.ts';
import { identityOf, isSame } from './anchored-folder.ts';
import { failed, fileFailure, isCode, isFailed, targetChanged } from './failures.ts';
import { isStillThere, judgedPath, openParent, ownPlaces } from './judged-file.ts';
import { movable } from './move-file.ts';
import { type Home, personsHome } from './resolve-paths.ts';
import { reasonAgainstMoving } from './secrets.ts';

const Answer = Compile(Type.Object({ trashedTo: Type.String() }));

/** The Finder takes a path, and no open folder. */
export type Finder = (realPath: string, attempt: Attempt) => Promise<string | Failed>;
const finderHere: Finder | undefined = process.platform === 'darwin' ? moveToFinderTrash : undefined;

/**
 * The trash of the desktop in the form of freedesktop.org, version 1.0: the file goes to `files`, and where it came from is
 * written to `info` first. A file on another disk goes to that disk's own trash.
 */
type Trash = { folder: string; pathInInfo: (realPath: string) => string };

const MOST_NAMES_TRIED = 1_000;

/** Moves a file or folder to the trash. Answers where it is there. */
export async function moveToTrash(
  { from, realPath }: { from: string; realPath: string },
  { home, now }: { home: Home; now: Date },
): Promise<string> {
  const trash = await trashFor(realPath, home);
  await mkdir(join(trash.folder, 'files'), { recursive: true, mode: 0o700 });
  await mkdir(join(trash.folder, 'info'), { recursive: true, mode: 0o700 });
  const { name, infoPath } = await writeInfo(trash, { realPath, now });
  const to = join(trash.folder, 'files', name);
  try {
    await rename(from, to);
  } catch (error) {
    await unlink(infoPath); // guard E2-19
    throw error;
  }
  return to;
}

/** Where the description of a file in the trash is. A Mac has none. */
function infoOf(trashedTo: string): string {
  return join(dirname(dirname(trashedTo)), 'info', `${basename(trashedTo)}.trashinfo`);
}

async function trashFor(realPath: string, { path: home }: Home): Promise<Trash> {
  const homeTrash = join(process.env.XDG_DATA_HOME ?? join(home, '.local/share'), 'Trash');
  const [{ dev }, { dev: homeDevice }] = await Promise.all([stat(dirname(realPath)), stat(home)]);
  if (dev === homeDevice) return { folder: homeTrash, pathInInfo: (path) => path };
  const top = await topOf(dirname(realPath), dev);
  const uid = String(process.getuid?.() ?? 0);
  const folder = (await inSharedTrash(top, uid)) ?? join(top, `.Trash-${uid}`);
  return { folder, pathInInfo: (path) => relative(top, path) };
}

/**
 * The person's folder in a trash for all users of a disk, if its administrator made one. By the rules of freedesktop.org it is no
 * link and has the sticky bit, so that no other user can have put it there or can exchange the folders in it.
 */
async function inSharedTrash(top: string, uid: string): Promise<string | undefined> {
  const facts = await lstat(join(top, '.Trash')).catch(() => undefined);
  if (facts?.isDirectory() !== true || (facts.mode & STICKY) === 0) return undefined;
  const folder = join(top, '.Trash', uid);
  return mkdir(folder, { recursive: true, mode: 0o700 }).then(
    () => folder,
    () => undefined,
  );
}

const STICKY = 0o1000;

/** The highest folder above a path that is on the same disk. */
async function topOf(folder: string, device: number): Promise<string> {
  const above = dirname(folder);
  if (above === folder || (await stat(above)).dev !== device) return folder;
  return topOf(above, device);
}

/** Takes a name that the trash does not have yet, by creating its description. */
async function writeInfo(
  { folder, pathInInfo }: Trash,
  { realPath, now }: { realPath: string; now: Date },
): Promise<{ name: string; infoPath: string }> {
  const text = `[Trash Info]\nPath=${escaped(pathInInfo(realPath))}\nDeletionDate=${localTime(now)}\n`;
  for (let tried = 1; tried <= MOST_NAMES_TRIED; tried += 1) {
    const name = tried === 1 ? basename(realPath) : numbered(basename(realPath), tried);
    const infoPath = join(folder, 'info', `${name}.trashinfo`);
    try {
      const handle = await open(infoPath, 'wx', 0o600);
      await handle.writeFile(text).finally(() => handle.close());
      if (!(await isTaken(join(folder, 'files', name)))) return { name, infoPath };
      await unlink(infoPath);
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
  }
  throw new Error(`the trash has ${MOST_NAMES_TRIED} files of this name`);
}

async function isTaken(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function numbered(name: string, number: number): string {
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}.${number}${ending}`;
}

/** Percent-encoded as in a URL, with the slashes kept. */
function escaped(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Local time without a zone, as other trash programs read it: `2026-11-22T15:04:05`. */
function localTime(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${day}T${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
}

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
      if (!(await isJudged(trashedTo, judged))) return await putBack(trashedTo, { from, realPath }); // guard F13-1
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
