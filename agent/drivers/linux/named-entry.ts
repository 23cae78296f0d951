import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { appNotFound, refuseAppName } from '../app-name.ts';
import type { Failed } from '../outcome.ts';
import { resolvedApp } from '../resolved-risk.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { identityOf } from './entry-identity.ts';
import { findEntry } from './entry-search.ts';

export type NamedEntry = { kind: 'named'; entry: DesktopEntry; app: ResolvedApp } | { kind: 'failed'; failure: Failed };

type Named = {
  appName: string;
  entries: readonly DesktopEntry[];
  environment: NodeJS.ProcessEnv;
  /** Why the app may not be acted on, if so. */
  refuse(app: ResolvedApp): Failed | null;
};

/** The one app a name stands for, or why it may not be acted on: the same answer for every action that takes a name. */
export async function namedEntry({ appName, entries, environment, refuse }: Named): Promise<NamedEntry> {
  const refusal = refuseAppName(appName);
  if (refusal !== null) return { kind: 'failed', failure: refusal };
  const found = findEntry(appName, entries);
  switch (found.kind) {
    case 'found': {
      const app = resolvedApp(await identityOf(found.entry, environment));
      const refused = refuse(app);
      return refused === null ? { kind: 'named', entry: found.entry, app } : { kind: 'failed', failure: refused };
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
