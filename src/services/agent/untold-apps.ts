import { Type } from 'typebox';
import { ACCESSIBILITY_SWITCHED_OFF } from '../../contract/accessibility-words.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { DegradedReason } from '../../contract/screen.ts';
import type { Context } from '../context.ts';
import type { AgentPort } from './port.ts';

/** How long the page says it after the first such look. */
const TOLD_MS = 10 * 60_000;

const isDescription = lazyCheck(Type.Object({ degradedReasons: Type.Array(DegradedReason) }));

export type UntoldApps = ReturnType<typeof createUntoldApps>;

/** Tells the person once that apps describe nothing, because accessibility is switched off on the desktop. */
export function createUntoldApps({ clock }: Pick<Context, 'clock'>, port: Pick<AgentPort, 'agent'>) {
  let firstAtMs: number | undefined;
  return {
    /** Looks at the result of an action that shows the screen. */
    note(data: unknown): void {
      if (firstAtMs !== undefined || !isDescription(data)) return;
      if (data.degradedReasons.some(({ code }) => code === ACCESSIBILITY_SWITCHED_OFF)) firstAtMs = clock.nowMs();
    },
    isTold(): boolean {
      if (firstAtMs === undefined || clock.nowMs() >= firstAtMs + TOLD_MS) return false;
      return port.agent()?.permissions.accessibility === 'switched_off';
    },
  };
}
