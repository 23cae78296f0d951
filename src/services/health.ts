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
    storage(): Health['storage'];
  },
): () => Health {
  const { port, version, instanceId, storage, scripts } = parts;
  const startedAtMs = clock.monotonicMs();
  return () => {
    const isWritable = store.isWritable();
    const agent = port.status();
    return {
      status: isWritable ? 'ok' : 'degraded',
      service: 'handrail',
      version,
      uptimeMs: Math.round(clock.monotonicMs() - startedAtMs),
      instanceId,
      checks: {
        overall: isWritable && agent !== 'offline' ? 'ok' : 'degraded',
        store: isWritable ? 'ok' : 'failing',
        agent,
        scripts: scripts(),
      },
      storage: storage(),
    };
  };
}
