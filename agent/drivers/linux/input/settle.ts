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
    let lastMs = performance.now();
    let changed = new AbortController();
    const { before, end } = await watchChanges(x11, bus, () => {
      lastMs = performance.now();
      changed.abort();
    });
    let desktop = before;
    try {
      while (!signal.aborted && desktop.ok) {
        const leftMs = QUIET_MS - (performance.now() - lastMs);
        if (leftMs <= 0) return true;
        changed = new AbortController();
        await x11.nextChange(
          desktop.value.revision,
          AbortSignal.any([signal, changed.signal, AbortSignal.timeout(Math.ceil(leftMs))]),
        );
        const now = await x11.desktop();
        if (now.ok && windowsOf(now.value) !== windowsOf(desktop.value)) lastMs = performance.now();
        desktop = now;
      }
      return false;
    } finally {
      end();
    }
  };
}
