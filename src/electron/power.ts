import type { Daemon } from '../daemon.ts';
import { type Away, createAway } from '../shell/away.ts';
import type { MacPrograms } from '../shell/mac-programs.ts';
import type { PowerEvents } from './surface.ts';

/** Only `locked` is of interest, which electron reports whatever the threshold is. */
const IDLE_THRESHOLD_SECONDS = 60;

/**
 * Tells the daemon when nobody can sit at this screen: prompts then expire, and nothing is sent until the person is back. On
 * macOS another user may take the screen over without locking it. The screen may be away already when Handrail starts: `atStart` says
 * so where the system tells it late, and counts only while no event has told more.
 */
export function watchPower(
  power: PowerEvents,
  daemon: Pick<Daemon, 'screen'>,
  atStart?: MacPrograms['screenNow'],
): void {
  const away = createAway();
  let hasHeard = false;
  function note(change: Partial<Away>): void {
    const now = away(change);
    if (now !== 'nothing') daemon.screen(now === 'left' ? 'locked' : 'unlocked');
  }
  function heard(change: Partial<Away>): void {
    hasHeard = true;
    note(change);
  }
  power.on('lock-screen', () => heard({ locked: true }));
  power.on('unlock-screen', () => heard({ locked: false }));
  power.on('user-did-resign-active', () => heard({ otherUser: true }));
  power.on('user-did-become-active', () => heard({ otherUser: false }));
  power.on('suspend', () => daemon.screen('suspended'));
  power.on('resume', () => daemon.screen('resumed'));
  if (power.getSystemIdleState(IDLE_THRESHOLD_SECONDS) === 'locked') note({ locked: true });
  void atStart?.().then((found) => {
    if (found !== undefined && !hasHeard) note(found);
  });
}
