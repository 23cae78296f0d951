import type { Log } from '../../services/context.ts';
import {
  type NoVirtualDesktop,
  needsVirtualDesktop,
  startVirtualDesktop,
  type VirtualDesktop,
} from './virtual-desktop.ts';

export type AgentDesktop = {
  /** Variables to add to the agent's environment, so that it finds its desktop. Never rejects. */
  environment(): Promise<Record<string, string>>;
  /** Why no private desktop could be started, after the last try; nothing where there is one, or none is needed. */
  problem(): string | undefined;
  /** Never rejects. */
  close(): Promise<void>;
};

type Options = {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  log: Log;
  /** The desktop has ended by itself: a fresh one is made when `environment` is asked for again. */
  broken(): void;
};

/** Nobody sits at it, so its agent need not watch for a person's hand. */
const PRIVATE = { HANDRAIL_DESKTOP: 'private' };

/** The desktop the agent works on: the person's own, or on a Linux machine that shows none, a private virtual one. */
export function createAgentDesktop({ platform, environment, log, broken }: Options): AgentDesktop {
  let current: VirtualDesktop | undefined;
  let problem: string | undefined;

  async function close(): Promise<void> {
    const closing = current;
    current = undefined;
    try {
      await closing?.close();
    } catch (error) {
      log.warn({ err: error }, 'the folder of a private desktop that has ended stays; a later start removes it');
    }
  }

  async function start(): Promise<VirtualDesktop | NoVirtualDesktop> {
    try {
      return await startVirtualDesktop({ environment });
    } catch (error) {
      const message = `The private desktop could not be started: ${error instanceof Error ? error.message : error}.`;
      return { state: 'unavailable', missing: [], message, fix: 'Start Handrail again.' };
    }
  }

  return {
    async environment() {
      if (!needsVirtualDesktop(platform, environment)) return {};
      if (current !== undefined) return { ...current.env, ...PRIVATE };
      const desktop = await start();
      problem = desktop.state === 'unavailable' ? problemWords(desktop) : undefined;
      if (desktop.state === 'unavailable') {
        log.warn(
          { missing: desktop.missing, fix: desktop.fix },
          `no desktop: ${desktop.message} Screen actions answer display_unavailable.`,
        );
        return {};
      }
      log.info({ display: desktop.env.DISPLAY }, 'this machine shows no desktop, so a private virtual one was started');
      current = desktop;
      void desktop.broken.then((error) => {
        log.error({ err: error }, 'the virtual desktop ended; a fresh one is started');
        void close().then(broken);
      });
      return { ...desktop.env, ...PRIVATE };
    },
    problem: () => problem,
    close,
  };
}

/** Every user of the machine can read `/health`, so it says no more than this. */
function problemWords({ missing }: NoVirtualDesktop): string {
  return missing.length === 0
    ? 'it was started and failed; the log says why'
    : `missing programs: ${missing.join(', ')}`;
}

/** Says in words which desktop the agent works on, for the person who starts Handrail. */
export function desktopWords(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  const { DISPLAY: display = '', HANDRAIL_AGENT_DRIVER: driver } = environment;
  if (driver === 'fake') return 'simulated, for tests';
  if (needsVirtualDesktop(platform, environment)) return 'a private virtual one, because DISPLAY is not set';
  if (platform === 'darwin') return 'yours, on this Mac';
  if (display === '') return 'none: this Wayland session has no X11 display, which Handrail needs';
  return `yours, on the display ${display}`;
}
