/** Why nobody sits at this screen: it is locked, or another user of the Mac has it. */
export type Away = { locked: boolean; otherUser: boolean };

/** Combines the causes. The person has `left` with the first of them, and is `back` when the last has gone. */
export function createAway(): (change: Partial<Away>) => 'left' | 'back' | 'nothing' {
  let away: Away = { locked: false, otherUser: false };
  return (change) => {
    const wasAway = away.locked || away.otherUser;
    away = { ...away, ...change };
    const isAway = away.locked || away.otherUser;
    if (isAway === wasAway) return 'nothing';
    return isAway ? 'left' : 'back';
  };
}

/**
 * Tells the daemon when nobody can sit at this screen and when the person is back. `heard` takes the events of the system. `atStart`
 * takes the state that the system reports for the start; an event that came before it wins.
 */
export function createScreenWatch(tell: (change: 'locked' | 'unlocked') => void) {
  const away = createAway();
  let hasHeard = false;
  function note(change: Partial<Away>): void {
    const now = away(change);
    if (now !== 'nothing') tell(now === 'left' ? 'locked' : 'unlocked');
  }
  return {
    heard(change: Partial<Away>): void {
      hasHeard = true;
      note(change);
    },
    atStart(found: Partial<Away> | undefined): void {
      if (found !== undefined && !hasHeard) note(found);
    },
  };
}
