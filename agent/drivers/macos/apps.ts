import { createApps } from '../apps/apps.ts';
import { resolvedApp } from '../apps/resolved-risk.ts';
import type { Failed } from '../outcome.ts';
import { type Applications, identityOf, shownName } from './applications.ts';
import { automationRemedy } from './automation-denied.ts';
import type { Clock } from './clock.ts';
import { readDesktop } from './desktop-state.ts';
import { displayUnavailable } from './display-available.ts';
import { type MacApp, notInstalled, openApp } from './open-app.ts';
import { quitApp } from './quit-app.ts';
import { ALLOW_OSASCRIPT, type RunProgram } from './run-script.ts';

/** `looks` answers looks at the desktop more quickly than `run`. */
export type AppSources = { run: RunProgram; looks: RunProgram; applications: Applications; clock: Clock };

const PARTS = {
  resolve: ['apps'],
  open: ['displays', 'apps', 'session'],
  quit: ['displays', 'apps', 'windows', 'session'],
} as const;

export function createMacApps({ run, looks, applications, clock }: AppSources) {
  return createApps<MacApp>({
    async find({ appName, action, signal }) {
      const before = await readDesktop(action === 'quit' ? run : looks, { parts: PARTS[action], signal });
      if (!before.ok && action === 'quit') return withoutScripting(appName, before.message);
      const missing =
        before.ok && action !== 'resolve' ? displayUnavailable(before.data, { whenLocked: 'go on' }) : null;
      if (missing !== null) return missing;
      const state = before.ok ? before.data : { apps: [], windows: [] };
      const app = await applications.find(appName, { running: state.apps, signal });
      // `open -a` would guess, and might open an app that was never assessed.
      if (app === null) return notInstalled(applications, { appName, action, signal });
      return { app: { appName, app, before: state }, resolved: resolvedApp(identityOf(app)) };
    },
    keyOf: ({ app }) => app.path ?? shownName(app),
    open: (app, signal) => openApp({ run: looks, applications, clock }, app, signal),
    quit: (app, signal) => quitApp({ run, clock }, app, signal),
  });
}

function withoutScripting(appName: string, why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `Whether ${JSON.stringify(appName)} runs could not be read, so nothing was asked of it: ${why}`,
    fix: automationRemedy(why) ?? ALLOW_OSASCRIPT,
    sideEffect: 'none',
  };
}
