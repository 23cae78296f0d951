import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { resolvedApp } from '../resolved-risk.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { identityOf } from './entry-identity.ts';
import { entryOfWindow, type NamedWindow } from './entry-search.ts';
import { processName } from './processes.ts';
import type { XWindow } from './x-window.ts';

export type IdentitySources = { entries: Pick<DesktopEntries, 'list'>; environment: NodeJS.ProcessEnv };

/** The kernel keeps so many bytes of a process's name. */
const NAME_BYTES = 15;

/**
 * The app of a window by all of its names: the same answer as for a name that leads to its desktop entry. A window only claims its entry, so
 * a process that is not of the entry's programs is named beside them.
 */
export async function appOfWindow(
  window: NamedWindow & Pick<XWindow, 'pid'>,
  { entries, environment }: IdentitySources,
): Promise<ResolvedApp> {
  const entry = entryOfWindow(window, await entries.list());
  const program = window.pid === null ? [] : await programNames(window.pid);
  if (entry === null) {
    const names = [...new Set([window.className, window.instanceName, ...program].filter((name) => name !== ''))];
    const [name = 'An app without a name', ...alsoKnownAs] = names;
    return resolvedApp({ name, alsoKnownAs });
  }
  const identity = await identityOf(entry, environment);
  const known = new Set([identity.name, ...identity.alsoKnownAs].map(plain));
  const isIts = program.length === 0 || program.some((name) => known.has(plain(name)) || isCut(name, known));
  return resolvedApp(isIts ? identity : { ...identity, alsoKnownAs: [...identity.alsoKnownAs, ...program] });
}

/** The file that the process runs, and the name that it has given itself, which for a script is the script's. */
async function programNames(pid: number): Promise<string[]> {
  const [path, name] = await Promise.all([readlink(`/proc/${pid}/exe`).catch(() => null), processName(pid)]);
  const file = path === null ? null : basename(path.replace(/ \(deleted\)$/, ''));
  return [...new Set([file, name].filter((each) => each !== null))];
}

/** `soffice.bin` is run by `soffice`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\.bin$/, '');
}

function isCut(name: string, known: ReadonlySet<string>): boolean {
  return name.length === NAME_BYTES && [...known].some((each) => each.startsWith(plain(name)));
}
