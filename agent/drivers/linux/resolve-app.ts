import type { Driver } from '../driver.ts';
import { resolvedTo } from '../resolved-app.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { namedEntry } from './named-entry.ts';

/** Looks a name up among the desktop entries, as OpenApp does. */
export function createResolveApp(entries: DesktopEntries): Driver['resolveApp'] {
  return async ({ appName }, attempt) => {
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const found = namedEntry(appName, await entries.list(), attempt);
    return found.kind === 'failed'
      ? found.failure
      : resolvedTo({ appName: found.entry.name, bundleId: found.entry.id });
  };
}
