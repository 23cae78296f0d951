import type { AgentPort } from './agent-port.ts';
import type { Context } from './context.ts';

/**
 * Journals when the agent becomes able to do its work, or stops being it: it is there, and no permission is denied to it. That
 * it is not started any more is journaled too, though it never was ready: nobody else would tell those who look on.
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

/** What the person denied to the agent that is there. */
export function missingPermissions(port: Pick<AgentPort, 'status' | 'agent'>): string[] {
  if (port.status() !== 'online') return [];
  const permissions = Object.entries(port.agent()?.permissions ?? {});
  return permissions.filter(([, state]) => state === 'denied').map(([name]) => name);
}
