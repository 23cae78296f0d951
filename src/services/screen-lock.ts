import type { Context } from './context.ts';

/** What the desktop says of the person's session. */
export type ScreenLock = 'locked' | 'unlocked';

/** Keeps account of the time in which nobody can have sat here; what waits for a person when the screen is locked has expired. */
export function createScreenLock({ store, clock }: Context, { expireAll }: { expireAll(details: string): void }) {
  let known: ScreenLock = 'unlocked';
  return (now: ScreenLock): void => {
    if (now === known) return;
    store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind: `screen.${now}` }));
    known = now;
    if (now === 'locked') expireAll('The screen was locked before a person answered; nothing was done.');
  };
}
