import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';

/** The user whose programs could change a file: the user of this process, with the folders that belong to them. */
export type Person = { uid: number; folders: readonly string[] };

export function personOf(environment: NodeJS.ProcessEnv): Person {
  const { HOME: home = homedir(), XDG_DATA_HOME: dataHome = '' } = environment;
  return { uid: process.getuid?.() ?? 0, folders: [home, dataHome].filter((folder) => /^\/+[^/]/.test(folder)) };
}

/** The first file that the person's programs could change, or replace by another in its folder or in one above it. */
export async function firstWritable(files: readonly string[], person: Person): Promise<string | undefined> {
  const answers = await Promise.all(files.map((file) => isWritable(file, person)));
  return files.find((_file, index) => answers[index]);
}

async function isWritable(file: string, person: Person): Promise<boolean> {
  if (person.folders.some((folder) => file.startsWith(`${folder.replace(/\/+$/, '')}/`))) return true;
  const answers = await Promise.all([file, ...foldersAbove(file)].map((path) => isOwn(path, person)));
  return answers.includes(true);
}

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}

/**
 * Root may write everywhere. For root, a file counts as changeable if another user owns it, or if everybody may write it.
 * In a sticky folder such as /tmp only the owner of a file can replace it.
 */
async function isOwn(path: string, { uid }: Person): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  if (status === null) return false;
  if (uid === 0) return status.uid !== 0 || (isWritableByOthers(status) && !isSticky(status));
  if (status.uid === uid) return true;
  return !isSticky(status) && (await mayWrite(path));
}

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & 0o002) !== 0;
}

function isSticky(status: Stats): boolean {
  return status.isDirectory() && (status.mode & 0o1000) !== 0;
}

async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}
