import { realpath } from 'node:fs/promises';
import type { AppRisk } from '../../../src/contract/screen.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
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
    ...commandRisks(entry, programs),
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

const INTERPRETER =
  /^(?:(?:ba|da|z|k|mk|c|tc|fi|a|pd|r|o|y)?sh|python|pypy|perl|ruby|node|nodejs|deno|bun|lua|luajit|php|tclsh|wish|expect|[gm]?awk|busybox|java|mono|dotnet|gjs|cjs|guile|rscript|script|xargs|screen|tmux)[-\d.]*$/i;

/** Programs that start whatever their arguments name. */
const LAUNCHER =
  /^(?:gtk-launch|gio|gapplication|exo-open|xdg-open|dex|kioclient\d*|kde-open\d*|kstart\d*|systemd-run|dbus-send|gdbus|qdbus|busctl|sudo|pkexec|doas|su|gksu|gksudo|kdesu|kdesudo|flatpak-spawn|ssh|mosh|nc|socat|xdotool|ydotool)$/i;

function commandRisks(entry: DesktopEntry, programs: readonly Program[]): AppRisk[] {
  if (entry.exec === null)
    return [medium(entry, 'is started over D-Bus, and its entry does not say which program runs')];
  const names = programs.flatMap((program) => program.names);
  const interpreter = names.find((name) => INTERPRETER.test(name));
  const launcher = names.find((name) => LAUNCHER.test(name));
  return [
    ...(interpreter === undefined ? [] : [medium(entry, `runs commands with ${interpreter}`)]),
    ...(launcher === undefined ? [] : [medium(entry, `starts another program with ${launcher}`)]),
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
