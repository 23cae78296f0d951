import type { Daemon } from '../daemon.ts';
import type { PowerEvents } from './surface.ts';

/** Only `locked` is of interest, which electron reports whatever the threshold is. */
const IDLE_THRESHOLD_SECONDS = 60;

/**
 * Tells the daemon when nobody can sit at this screen: prompts then expire, and nothing is sent until the person is back. On
 * macOS another user may take the screen over without locking it. The screen may be locked already when Handrail starts.
 */
export function watchPower(power: PowerEvents, daemon: Pick<Daemon, 'screen'>): void {
  const away = { locked: false, otherUser: false };
  function note(change: Partial<typeof away>): void {
    const wasAway = away.locked || away.otherUser;
    Object.assign(away, change);
    const isAway = away.locked || away.otherUser;
    if (isAway !== wasAway) daemon.screen(isAway ? 'locked' : 'unlocked');
  }
  power.on('lock-screen', () => note({ locked: true }));
  power.on('unlock-screen', () => note({ locked: false }));
  power.on('user-did-resign-active', () => note({ otherUser: true }));
  power.on('user-did-become-active', () => note({ otherUser: false }));
  power.on('suspend', () => daemon.screen('suspended'));
  power.on('resume', () => daemon.screen('resumed'));
  if (power.getSystemIdleState(IDLE_THRESHOLD_SECONDS) === 'locked') note({ locked: true });
}
