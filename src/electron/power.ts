import type { Daemon } from '../daemon/daemon.ts';
import { createScreenWatch } from '../shell/away.ts';
import type { MacPrograms } from '../shell/mac-programs.ts';
import type { PowerEvents } from './surface.ts';

/** Only `locked` is of interest, which electron reports whatever the threshold is. */
const IDLE_THRESHOLD_SECONDS = 60;

/**
 * Tells the daemon when nobody can sit at this screen: prompts then expire, and nothing is sent until the person is back. On
 * macOS another user may take the screen over without locking it. The screen may be away already when Handrail starts: `atStart` says
 * so where the system tells it late.
 */
export function watchPower(
  power: PowerEvents,
  daemon: Pick<Daemon, 'screen'>,
  atStart?: MacPrograms['screenNow'],
): void {
  const screen = createScreenWatch((change) => daemon.screen(change));
  power.on('lock-screen', () => screen.heard({ locked: true }));
  power.on('unlock-screen', () => screen.heard({ locked: false }));
  power.on('user-did-resign-active', () => screen.heard({ otherUser: true }));
  power.on('user-did-become-active', () => screen.heard({ otherUser: false }));
  power.on('suspend', () => daemon.screen('suspended'));
  power.on('resume', () => daemon.screen('resumed'));
  if (power.getSystemIdleState(IDLE_THRESHOLD_SECONDS) === 'locked') screen.atStart({ locked: true });
  void atStart?.().then(screen.atStart);
}
