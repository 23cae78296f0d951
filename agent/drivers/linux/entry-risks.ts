import { constants, type Stats } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { AppRisk } from '../../../src/contract/screen.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { commandRisks } from './entry-commands.ts';
import type { Program } from './exec-programs.ts';

/** The risks of an app that its desktop entry reveals, beyond the names in it. */
export async function entryRisks(
  entry: DesktopEntry,
  programs: readonly Program[],
  environment: NodeJS.ProcessEnv,
): Promise<AppRisk[]> {
  return [
    ...(entry.terminal ? [high(entry, 'runs in a terminal')] : []),
    ...categoryRisks(entry),
    ...menuRisks(entry),
    ...commandRisks(entry, programs).map(({ level, what }) => (level === 'high' ? high : medium)(entry, what)),
    ...(await writableRisks(entry, { programs, environment })),
  ];
}

/** Registered categories of the Desktop Menu Specification that stand for sensitive kinds of apps. */
const SENSITIVE_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['TerminalEmulator', 'a terminal'],
  ['RemoteAccess', 'a remote-desktop tool'],
  ['Settings', 'part of the system settings'],
]);

function categoryRisks(entry: DesktopEntry): AppRisk[] {
  return entry.categories.flatMap((category) => {
    const kind = SENSITIVE_CATEGORIES.get(category);
    return kind === undefined ? [] : [high(entry, `is ${kind}, by its menu category ${category}`)];
  });
}

/** The main categories of the Desktop Menu Specification. An app for a menu has one of them. */
const MAIN_CATEGORIES: ReadonlySet<string> = new Set([
  'AudioVideo',
  'Audio',
  'Video',
  'Development',
  'Education',
  'Game',
  'Graphics',
  'Network',
  'Office',
  'Science',
  'Settings',
  'System',
  'Utility',
]);

/** Entries that are in no menu are commands and handlers of the system rather than apps. */
function menuRisks(entry: DesktopEntry): AppRisk[] {
  const isInMenu = entry.categories.some(
    (category) => MAIN_CATEGORIES.has(category) || SENSITIVE_CATEGORIES.has(category),
  );
  return [
    ...(entry.noDisplay ? [medium(entry, 'is not meant to be opened from a menu')] : []),
    ...(isInMenu ? [] : [medium(entry, 'has no main menu category')]),
  ];
}

async function writableRisks(
  entry: DesktopEntry,
  { programs, environment }: { programs: readonly Program[]; environment: NodeJS.ProcessEnv },
): Promise<AppRisk[]> {
  const person = personOf(environment);
  const own = await realpath(entry.path).catch(() => entry.path);
  const [writableEntry, writableProgram] = await Promise.all([
    firstWritable([entry.path, own], person),
    firstWritable([...new Set(programs.flatMap(({ files }) => files))], person),
  ]);
  return [
    ...(writableEntry === undefined ? [] : [medium(entry, 'has a desktop entry that any program of yours can change')]),
    ...(writableProgram === undefined ? [] : [medium(entry, 'runs a file that any program of yours can change')]),
  ];
}

function high({ name }: DesktopEntry, what: string): AppRisk {
  return { level: 'high', reason: `“${name}” ${what}.` };
}

function medium({ name }: DesktopEntry, what: string): AppRisk {
  return { level: 'medium', reason: `“${name}” ${what}.` };
}

/** The user whose programs could change a file: the user of this process, with the folders that belong to them. */
type Person = { uid: number; folders: readonly string[] };

function personOf(environment: NodeJS.ProcessEnv): Person {
  const { HOME: home = homedir(), XDG_DATA_HOME: dataHome = '' } = environment;
  return { uid: process.getuid?.() ?? 0, folders: [home, dataHome].filter((folder) => /^\/+[^/]/.test(folder)) };
}

/** The first file that the person's programs could change, or replace by another in its folder or in one above it. */
async function firstWritable(files: readonly string[], person: Person): Promise<string | undefined> {
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
