import { realpath } from 'node:fs/promises';
import type { AppRisk } from '../../../src/contract/screen.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { commandRisks } from './entry-commands.ts';
import type { Program } from './exec-programs.ts';
import { firstWritable, personOf } from './writable-by-person.ts';

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
