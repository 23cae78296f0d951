import { appNotFound } from '../apps/app-name.ts';
import { createApps } from '../apps/apps.ts';
import { resolvedApp } from '../apps/resolved-risk.ts';
import type { Failed } from '../outcome.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { identityOf } from './entry-identity.ts';
import { findEntry } from './entry-search.ts';
import { type OpenAppNeeds, openApp } from './open-app.ts';
import { quitApp } from './quit-app.ts';

/** Apps by their desktop entries. */
export function createLinuxApps(needs: OpenAppNeeds) {
  return createApps<{ entry: DesktopEntry; entries: readonly DesktopEntry[] }>({
    async find({ appName }) {
      const entries = await needs.entries.list();
      const found = findEntry(appName, entries);
      if (found.kind === 'missing') return appNotFound(appName, found.near);
      if (found.kind === 'ambiguous') return ambiguous(appName, found.entries);
      const { entry } = found;
      return { app: { entry, entries }, resolved: resolvedApp(await identityOf(entry, needs.environment)) };
    },
    keyOf: ({ entry }) => entry.id,
    open: (app, signal) => openApp({ needs, ...app, signal }),
    quit: (app, signal) => quitApp({ x11: needs.x11, ...app, signal }),
  });
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
