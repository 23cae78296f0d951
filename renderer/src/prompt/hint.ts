import type { Arming } from './arming.ts';

/** What the person can do right now, in a line. */
export function hintFor(
  arming: Arming,
  { isOver, isReachable, mustBeHeld }: { isOver: boolean; isReachable: boolean; mustBeHeld: boolean },
): string {
  if (isOver) return 'Time is up: Handrail denied this request.';
  if (!isReachable) return 'Handrail does not answer. You can answer here once it is back.';
  switch (arming.state) {
    case 'away':
      return 'Bring this window to the front to answer.';
    case 'partly seen':
      return 'Scroll to its end before you allow. You can deny now.';
    case 'reporting':
    case 'waiting':
      return 'Read it first. Allow unlocks in a moment.';
    case 'alive':
      return mustBeHeld
        ? 'Press and hold Allow for 1 s. Keyboard: Tab, then hold A.'
        : 'Keyboard: Esc denies; Tab, then hold A for a second, allows.';
  }
}
