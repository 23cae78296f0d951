import type { Driver } from '../driver.ts';
import { resolvedTo } from '../resolved-app.ts';
import { refuseHandrail } from '../resolved-risk.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { namedEntry } from './named-entry.ts';

/** Looks a name up among the desktop entries, as OpenApp does. */
export function createResolveApp(installed: DesktopEntries, environment: NodeJS.ProcessEnv): Driver['resolveApp'] {
  return async ({ appName }, attempt) => {
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const entries = await installed.list();
    const found = await namedEntry({ appName, entries, environment, refuse: refuseHandrail });
    return found.kind === 'failed' ? found.failure : resolvedTo(found.app);
  };
}
