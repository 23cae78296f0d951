import { Type } from 'typebox';
import { ACCESSIBILITY_SWITCHED_OFF } from '../../contract/accessibility-words.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { DegradedReason } from '../../contract/screen.ts';
import type { Context } from '../context.ts';
import type { AgentPort } from './port.ts';

/**
 * Journals when the agent becomes ready (online, with every permission), and when it stops being ready. It also journals
 * that an agent will not be restarted, even if it never was ready: no other event tells watchers so.
 */
export function createAgentWatch({ store, clock, log }: Context, port: Pick<AgentPort, 'status' | 'agent'>) {
  let known = { ready: false, offline: false, missing: '' };
  return {
    /** Looks again; the agent came, went, or was given or denied something. */
    changed(): void {
      const missing = missingPermissions(port);
      const status = port.status();
      const ready = status === 'online' && missing.length === 0;
      const next = { ready, offline: status === 'offline', missing: missing.join(' ') };
      if (next.ready === known.ready && next.offline === known.offline && next.missing === known.missing) return;
      try {
        store.write('relaxed', () =>
          store.journal.append(clock.nowMs(), {
            kind: 'agent.readiness',
            metadata: { ready, offline: next.offline, missing },
          }),
        );
        known = next;
      } catch (error) {
        log.error({ err: error }, 'that the agent became ready, or stopped being it, could not be journaled');
      }
    },
  };
}

/** The permissions that the person denied to the connected agent. */
export function missingPermissions(port: Pick<AgentPort, 'status' | 'agent'>): string[] {
  if (port.status() !== 'online') return [];
  const permissions = Object.entries(port.agent()?.permissions ?? {});
  return permissions.filter(([, state]) => state === 'denied').map(([name]) => name);
}

/** When the agent was online last, in epoch milliseconds. */
export function createLastSeen({ clock }: Context, port: AgentPort) {
  let seenAtMs: number | undefined;
  return {
    note(): void {
      if (port.status() === 'online') seenAtMs = clock.nowMs();
    },
    atMs: (): number | undefined => (port.status() === 'online' ? clock.nowMs() : seenAtMs),
  };
}

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
