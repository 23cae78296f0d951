import type { Failed } from '../outcome.ts';
import type { DesktopState } from './desktop-state.ts';

/** The failure where no display can be used now, or null. An app can be opened while the screen is locked. */
export function displayUnavailable(
  { displays, session, errors }: DesktopState,
  { whenLocked }: { whenLocked: 'refuse' | 'go on' },
): Failed | null {
  const isOutside = session === null && errors.session === undefined;
  if (displays.length === 0 || isOutside) {
    const cause = isOutside ? 'it runs outside of a graphical session' : (errors.displays ?? 'none is attached');
    return unavailable(
      `Handrail sees no display of this Mac: ${cause}.`,
      'Start Handrail in the session of a person who is logged in at the Mac, with a screen attached; not over ssh.',
    );
  }
  if (session !== null && !session.onConsole) {
    return unavailable('Another person is using the screen of this Mac.', 'Switch back to this user at the Mac.');
  }
  if (whenLocked === 'refuse' && session?.locked) {
    return unavailable('The screen is locked, and a locked screen shows nothing of the apps.', 'Unlock the Mac.');
  }
  return null;
}

export function unavailable(message: string, fix: string): Failed {
  return { ok: false, code: 'display_unavailable', message, fix, sideEffect: 'none' };
}
