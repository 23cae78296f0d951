import type { ActionRow } from '../../store/actions.ts';
import type { LiveActions } from './live-actions.ts';

/** Calls off what was let through and has not been sent, because what let it through has ended. */
export function withdrawQueued(live: LiveActions, details: string, isMeant: (row: ActionRow) => boolean): void {
  for (const row of live.all().filter((each) => each.status === 'queued' && isMeant(each))) {
    live.change(row, { event: { kind: 'withdrawn' }, patch: { details } });
  }
}
