import { basename } from 'node:path';
import type { ResolvedApp } from '../resolved-risk.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';

/** Every name of an app by which it can be told what it is: its id, its programs, its window class, what it opens in. */
export function identityOf(entry: DesktopEntry): ResolvedApp {
  const names = [
    entry.id,
    entry.genericName,
    entry.startupWmClass,
    entry.tryExec === null ? null : basename(entry.tryExec),
    ...programsOf(entry.exec ?? ''),
    entry.terminal ? 'terminal' : null,
  ];
  return { name: entry.name, alsoKnownAs: names.filter((name) => name !== null) };
}

/** The words of a command line that may name programs: options, field codes and settings do not. */
function programsOf(exec: string): string[] {
  return exec
    .split(/\s+/)
    .map((word) => word.replace(/^["']|["']$/g, ''))
    .filter((word) => /^[^-%=][^=]*$/.test(word))
    .map((word) => basename(word));
}
