import type { Arming } from './arming.ts';
import type { PresenceKind } from './presence.ts';

type Circumstances = { isOver: boolean; isReachable: boolean; isFolded: boolean; presence: PresenceKind };

/** The next thing that the person can do, in one line. */
export function hintFor(arming: Arming, { isOver, isReachable, isFolded, presence }: Circumstances): string {
  if (isOver) return 'Time is up. The request has expired, and nothing was done.';
  if (!isReachable) return "Handrail doesn't respond. You can answer once it is back.";
  switch (arming.state) {
    case 'away':
      return 'Bring this window to the front to answer.';
    case 'partly seen':
      return isFolded ? 'Press M and scroll to unlock Allow.' : 'Scroll to unlock Allow.';
    case 'reporting':
    case 'waiting':
      return 'Allow unlocks in a moment.';
    case 'alive':
      return HOW_TO_ALLOW[presence];
  }
}

const HOW_TO_ALLOW: Record<PresenceKind, string> = {
  none: 'To allow by keyboard: Tab, then hold A.',
  hold: 'Hold 1 s. Keyboard: Tab, then hold A.',
  touch: 'Allow asks for Touch ID. Keyboard: Tab, then hold A.',
  elsewhere: 'Allow this in the Handrail app: it needs Touch ID. You can deny here.',
};
