import type { Log } from '../../services/context.ts';
import { needsVirtualDesktop, startVirtualDesktop, type VirtualDesktop } from './virtual-desktop.ts';

export type AgentDesktop = {
  /** Variables to add to the agent's environment, so that it finds its desktop. Never rejects. */
  environment(): Promise<Record<string, string>>;
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

  async function close(): Promise<void> {
    const closing = current;
    current = undefined;
    await closing?.close();
  }

  return {
    async environment() {
      if (!needsVirtualDesktop(platform, environment)) return {};
      if (current !== undefined) return { ...current.env, ...PRIVATE };
      const desktop = await startVirtualDesktop({ environment });
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
    close,
  };
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
