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
    /** Why the private desktop that is needed is not there. */
    desktopReason?: (() => string | undefined) | undefined;
    /** Whether the person has still to read that the database was renewed. */
    isRenewed(): boolean;
    /** Whether the agent waits for the system to have a process for it. */
    isShortOfProcesses(): boolean;
    storage(): Health['storage'];
  },
): () => Health {
  const { port, version, instanceId, storage, scripts, isShortOfProcesses } = parts;
  const { scriptsReason = () => undefined, desktopReason = () => undefined, isRenewed } = parts;
  const startedAtMs = clock.monotonicMs();
  return () => {
    const kept = storage();
    const condition = store.condition();
    const isSound = condition === 'ok' && !isRenewed();
    const agent = port.status();
    const isShort = isShortOfProcesses();
    const reason = scriptsReason();
    const noDesktop = desktopReason();
    return {
      status: isSound ? 'ok' : 'degraded',
      service: 'handrail',
      version,
      uptimeMs: Math.round(clock.monotonicMs() - startedAtMs),
      instanceId,
      checks: {
        overall: isSound && agent !== 'offline' && !isShort && noDesktop === undefined ? 'ok' : 'degraded',
        store: condition === 'ok' && !isSound ? 'renewed' : condition,
        agent,
        desktop: noDesktop === undefined ? 'ok' : 'unavailable',
        ...(noDesktop === undefined ? {} : { desktopReason: noDesktop }),
        processes: isShort ? 'short' : 'ok',
        scripts: reason === undefined ? scripts() : 'unavailable',
        ...(reason === undefined ? {} : { scriptsReason: reason }),
      },
      storage: kept,
    };
  };
}
