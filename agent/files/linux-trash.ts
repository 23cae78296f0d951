import { lstat, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { isCode } from './failures.ts';
import type { Home } from './resolve-paths.ts';

/**
 * The trash of the desktop in the form of freedesktop.org, version 1.0: the file goes to `files`, and where it came from is
 * written to `info` first. A file on another disk goes to that disk's own trash.
 */
export type Trash = { folder: string; pathInInfo: (realPath: string) => string };

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
    await unlink(infoPath);
    throw error;
  }
  return to;
}

/** Where the description of a file in the trash is. A Mac has none. */
export function infoOf(trashedTo: string): string {
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
