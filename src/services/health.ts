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
    /** Whether the person lets a daemon of another machine act here. */
    acceptsOtherDaemons(): boolean;
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
    const condition = store.condition();
    const agent = port.status();
    const trouble = { scripts: scriptsReason(), desktop: desktopReason(), isShort: isShortOfProcesses() };
    const isSound = condition === 'ok' && !isRenewed();
    const isWhole = isSound && agent !== 'offline' && !trouble.isShort && trouble.desktop === undefined;
    return {
      status: isSound ? 'ok' : 'degraded',
      service: 'handrail',
      version,
      uptimeMs: Math.round(clock.monotonicMs() - startedAtMs),
      instanceId,
      acceptsOtherDaemons: parts.acceptsOtherDaemons(),
      checks: {
        overall: isWhole ? 'ok' : 'degraded',
        store: condition === 'ok' && !isSound ? 'renewed' : condition,
        agent,
        ...desktopCheck(trouble.desktop),
        processes: trouble.isShort ? 'short' : 'ok',
        ...(trouble.scripts === undefined
          ? { scripts: scripts() }
          : { scripts: 'unavailable', scriptsReason: trouble.scripts }),
      },
      storage: storage(),
    };
  };
}

function desktopCheck(reason: string | undefined): Pick<Health['checks'], 'desktop' | 'desktopReason'> {
  return reason === undefined ? { desktop: 'ok' } : { desktop: 'unavailable', desktopReason: reason };
}
