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
