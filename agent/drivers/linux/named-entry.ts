import type { AppRisk } from '../../../src/contract/screen.ts';
import { appNotFound, refuseAppName } from '../app-name.ts';
import type { Failed } from '../driver.ts';
import { type Judged, refuseUnjudgedApp, risksOf } from '../resolved-risk.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { identityOf } from './entry-identity.ts';
import { findEntry } from './entry-search.ts';

export type NamedEntry = { kind: 'named'; entry: DesktopEntry; risks: AppRisk[] } | { kind: 'failed'; failure: Failed };

/** The one app a name stands for, or why it may not be acted on: the same answer for every action that takes a name. */
export async function namedEntry(
  appName: string,
  from: { entries: readonly DesktopEntry[]; environment: NodeJS.ProcessEnv },
  judged: Judged,
): Promise<NamedEntry> {
  const refusal = refuseAppName(appName);
  if (refusal !== null) return { kind: 'failed', failure: refusal };
  const found = findEntry(appName, from.entries);
  switch (found.kind) {
    case 'found': {
      const identity = await identityOf(found.entry, from.environment);
      const unjudged = refuseUnjudgedApp(identity, judged);
      if (unjudged !== null) return { kind: 'failed', failure: unjudged };
      return { kind: 'named', entry: found.entry, risks: risksOf(identity) };
    }
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
