import { appNotFound, refuseAppName } from '../app-name.ts';
import type { Failed } from '../driver.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { findEntry } from './entry-search.ts';

export type NamedEntry = { kind: 'named'; entry: DesktopEntry } | { kind: 'failed'; failure: Failed };

/** The one app a name stands for, or why it stands for none: the same answer for every action that takes a name. */
export function namedEntry(appName: string, entries: readonly DesktopEntry[]): NamedEntry {
  const refusal = refuseAppName(appName);
  if (refusal !== null) return { kind: 'failed', failure: refusal };
  const found = findEntry(appName, entries);
  switch (found.kind) {
    case 'found':
      return { kind: 'named', entry: found.entry };
    case 'missing':
      return { kind: 'failed', failure: appNotFound(appName, found.near) };
    case 'ambiguous':
      return { kind: 'failed', failure: ambiguous(appName, found.entries) };
  }
}

function ambiguous(appName: string, entries: readonly DesktopEntry[]): Failed {
  const choices = entries.slice(0, 5).map((entry) => `${entry.name} (${entry.id})`);
  return {
    ok: false,
    code: 'app_not_found',
    message: `Expected the name of one app, but “${appName}” fits several: ${choices.join(', ')}.`,
    fix: 'Name one of them by its id.',
    sideEffect: 'none',
  };
}
