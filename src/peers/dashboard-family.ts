import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { DashboardProgram } from '../contract/own-window.ts';
import type { CallingProgram, ProgramProcess } from '../contract/program.ts';
import { LISTING } from './macos-peers.ts';

/**
 * The processes that belong together with the one at a connection: its parents of the same program, up to the one that has the windows.
 * Browsers make their connections in a process of their own. Nothing where the system does not name the program.
 */
export function familyOf(program: CallingProgram): DashboardProgram | undefined {
  if (program.kind === 'unknown') return undefined;
  const { pid, name, path, startedBy } = program;
  const line: ProgramProcess[] = [{ pid, name, path }, ...startedBy];
  const [first, ...parents] = isNetworkHelper(program) ? line.slice(1) : line;
  // On a Mac the system starts the helper, and does not say for which app.
  if (first === undefined) return { pids: [pid], names: WEBKIT_APPS, isByName: true };
  const end = parents.findIndex((parent) => !isSameProgram(parent, first));
  const family = [first, ...parents.slice(0, end === -1 ? parents.length : end)]; // guard A20-3
  const names = [...new Set(family.flatMap((each) => [bundleNameOf(each) ?? each.name, ...snapNameOf(each)]))];
  const pids = [...new Set([pid, ...family.map((each) => each.pid)])];
  return { pids, names, ...(isInFlatpak(first) && { isByName: true }) };
}

/** Its windows name process ids of the sandbox, which are other ones outside of it. */
function isInFlatpak({ path = '' }: ProgramProcess): boolean {
  return path.startsWith('/app/');
}

/** The file of a snap may have another name than its app: Chromium's is called chrome. */
function snapNameOf({ path = '' }: ProgramProcess): string[] {
  const [, name] = /^\/snap\/([^/]+)\//u.exec(path) ?? [];
  return name === undefined ? [] : [name];
}

/** The network process of WebKit: of Safari on a Mac, of Epiphany and others on Linux. */
function isNetworkHelper({ name, path = '' }: Pick<ProgramProcess, 'name' | 'path'>): boolean {
  return /^(?:com\.apple\.WebKit\.Networking|WebKitNetworkProcess)/u.test(name) || path.includes('.xpc/Contents/');
}

const WEBKIT_APPS = ['Safari', 'Orion', 'DuckDuckGo', 'WebKit'];

function isSameProgram(one: ProgramProcess, other: ProgramProcess): boolean {
  return programOf(one) === programOf(other);
}

/** An app on a Mac has helpers in its own bundle. A program that was replaced while it runs is still the same one. */
function programOf({ name, path }: ProgramProcess): string {
  const plain = path?.replace(/ \(deleted\)$/u, '');
  return /^.+?\.app(?=\/Contents\/)/u.exec(plain ?? '')?.[0] ?? plain ?? name;
}

function bundleNameOf({ path = '' }: ProgramProcess): string | undefined {
  return /([^/]+?)\.app\/Contents\//u.exec(path)?.[1];
}

/** `profile`: the argument by which a browser has Handrail's own profile. Its window has no other page, and no extension. */
export function createFindDashboard(commandLineOf: CommandLineOf, profile: string) {
  return async (program: CallingProgram): Promise<DashboardProgram | undefined> => {
    const family = familyOf(program);
    if (family === undefined || family.isByName === true) return family;
    const lines = await Promise.all(family.pids.map(commandLineOf));
    return { ...family, isOwnWindow: lines.some((line) => ` ${line} `.includes(` ${profile} `)) };
  };
}

/** The command line of a process, with a space between two words: Chromium writes its own like that. Empty where it has ended. */
export type CommandLineOf = (pid: number) => Promise<string>;

export function createCommandLineOf(platform: NodeJS.Platform): CommandLineOf {
  if (platform === 'linux')
    return (pid) =>
      readFile(`/proc/${pid}/cmdline`, 'utf8').then(
        (text) => text.replaceAll('\0', ' '),
        () => '',
      );
  return (pid) =>
    new Promise((resolve) => {
      execFile('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)], LISTING, (error, output) =>
        resolve(error === null ? output.trim() : ''),
      );
    });
}
