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
