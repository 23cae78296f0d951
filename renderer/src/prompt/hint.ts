import type { Arming } from './arming.ts';
import type { PresenceKind } from './presence.ts';

/** The next thing that the person can do, in one line. */
export function hintFor(
  arming: Arming,
  { isOver, isReachable, presence }: { isOver: boolean; isReachable: boolean; presence: PresenceKind },
): string {
  if (isOver) return 'Time is up: Handrail denied this request.';
  if (!isReachable) return 'Handrail does not answer. You can answer here once it is back.';
  switch (arming.state) {
    case 'away':
      return 'Bring this window to the front to answer.';
    case 'partly seen':
      return 'Scroll to its end before you allow. Space scrolls, Esc denies.';
    case 'reporting':
    case 'waiting':
      return 'Read it first. Allow unlocks in a moment.';
    case 'alive':
      return HOW_TO_ALLOW[presence];
  }
}

const HOW_TO_ALLOW: Record<PresenceKind, string> = {
  none: 'Keyboard: Esc denies. To allow: Tab, then hold A for 1 s.',
  hold: 'Press and hold Allow for 1 s. Keyboard: Tab, then hold A.',
  touch: 'Allow asks for Touch ID. Keyboard: Tab, then hold A for 1 s.',
  elsewhere: 'Allowing this takes Touch ID: do it in the window of the Handrail app. You can deny here.',
};
