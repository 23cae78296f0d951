import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import type { X11 } from '../x11.ts';
import { watchChanges, windowsOf } from './effect.ts';

/** So long nothing may change. */
const QUIET_MS = 100;

/** Waits until neither the windows nor the app in front has changed for a moment. False where that takes longer than the limit. */
export function createSettle({ x11, bus }: { x11: X11; bus: AccessibilityBus }) {
  return async ({ withinMs }: { withinMs: number }, attempt: Attempt): Promise<boolean> => {
    const signal = AbortSignal.any([withinDeadline(attempt), AbortSignal.timeout(withinMs)]);
    let changed = new AbortController();
    const { before, end } = await watchChanges(x11, bus, () => changed.abort());
    let desktop = before;
    let quiet = AbortSignal.timeout(QUIET_MS);
    try {
      while (!signal.aborted && desktop.ok) {
        await x11.nextChange(desktop.value.revision, AbortSignal.any([signal, changed.signal, quiet]));
        const now = await x11.desktop();
        const isOther = changed.signal.aborted || (now.ok && windowsOf(now.value) !== windowsOf(desktop.value));
        desktop = now;
        // A pause of this process alone is no rest: something may have changed in it.
        if (!isOther && quiet.aborted) return true;
        if (!isOther) continue;
        changed = new AbortController();
        quiet = AbortSignal.timeout(QUIET_MS);
      }
      return false;
    } finally {
      end();
    }
  };
}
