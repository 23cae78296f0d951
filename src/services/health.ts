import type { Health } from '../contract/health.ts';
import type { AgentPort } from './agent/port.ts';
import type { Context } from './context.ts';

/** How the daemon and its parts are. */
export function createHealth(
  { store, clock }: Context,
  parts: {
    port: AgentPort;
    version: string;
    instanceId: string;
    scripts(): Health['checks']['scripts'];
    /** Why scripts do not work, where the agent has found that out. */
    scriptsReason?: (() => string | undefined) | undefined;
    /** Whether the agent waits for the system to have a process for it. */
    isShortOfProcesses(): boolean;
    storage(): Health['storage'];
  },
): () => Health {
  const { port, version, instanceId, storage, scripts, isShortOfProcesses } = parts;
  const { scriptsReason = () => undefined } = parts;
  const startedAtMs = clock.monotonicMs();
  return () => {
    const kept = storage();
    const condition = store.condition();
    const isSound = condition === 'ok';
    const agent = port.status();
    const isShort = isShortOfProcesses();
    const reason = scriptsReason();
    return {
      status: isSound ? 'ok' : 'degraded',
      service: 'handrail',
      version,
      uptimeMs: Math.round(clock.monotonicMs() - startedAtMs),
      instanceId,
      checks: {
        overall: isSound && agent !== 'offline' && !isShort ? 'ok' : 'degraded',
        store: condition,
        agent,
        processes: isShort ? 'short' : 'ok',
        scripts: reason === undefined ? scripts() : 'unavailable',
        ...(reason === undefined ? {} : { scriptsReason: reason }),
      },
      storage: kept,
    };
  };
}
