import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { type AppIdentity, resolvedApp } from '../apps/resolved-risk.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { identityOf } from './entry-identity.ts';
import { entryOfWindow, type NamedWindow } from './entry-search.ts';
import { processName } from './processes.ts';
import type { XWindow } from './x-window.ts';

export type IdentitySources = { entries: Pick<DesktopEntries, 'list'>; environment: NodeJS.ProcessEnv };

/** The kernel keeps so many bytes of a process's name. */
const NAME_BYTES = 15;

type IdentityOf = (window: NamedWindow) => Promise<AppIdentity | null>;

/**
 * The app of a window by all of its names: the same answer as for a name that leads to its desktop entry. A window only claims its entry, so
 * a process that is not of the entry's programs is named beside them.
 */
export async function appOfWindow(
  window: NamedWindow & Pick<XWindow, 'pid'>,
  sources: IdentitySources,
  claimed: IdentityOf = (named) => claimedIdentity(named, sources),
): Promise<ResolvedApp> {
  const [identity, program] = await Promise.all([claimed(window), window.pid === null ? [] : programNames(window.pid)]);
  if (identity === null) {
    const names = [...new Set([window.className, window.instanceName, ...program].filter((name) => name !== ''))];
    const [name = 'An app without a name', ...alsoKnownAs] = names;
    return resolvedApp({ name, alsoKnownAs });
  }
  const known = new Set([identity.name, ...identity.alsoKnownAs].map(plain));
  const isIts = program.length === 0 || program.some((name) => known.has(plain(name)) || isCut(name, known));
  return resolvedApp(isIts ? identity : { ...identity, alsoKnownAs: [...identity.alsoKnownAs, ...program] });
}

const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 100;

/** The same for looks in quick succession. It remembers for a moment which app a window claims to be, but never the process behind it. */
export function createAppsOfWindows(sources: IdentitySources): (window: XWindow) => Promise<ResolvedApp> {
  const known = new Map<string, { untilMs: number; identity: Promise<AppIdentity | null> }>();
  const remembered: IdentityOf = (window) => {
    const { className, instanceName, applicationId } = window;
    const key = JSON.stringify([className, instanceName, applicationId]);
    const before = known.get(key);
    if (before !== undefined && performance.now() < before.untilMs) return before.identity;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const identity = claimedIdentity(window, sources);
    known.set(key, { untilMs: performance.now() + REMEMBERED_MS, identity });
    return identity;
  };
  return (window) => appOfWindow(window, sources, remembered);
}

async function claimedIdentity(
  window: NamedWindow,
  { entries, environment }: IdentitySources,
): Promise<AppIdentity | null> {
  const entry = entryOfWindow(window, await entries.list());
  return entry === null ? null : identityOf(entry, environment);
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
