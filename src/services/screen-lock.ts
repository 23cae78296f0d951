import type { LiveActions } from './actions/live-actions.ts';
import type { Context } from './context.ts';
import type { Refusal } from './refusal.ts';
import { untilStored } from './storage-failure.ts';

/** What the desktop says of the person's session, and of the machine. */
export type ScreenChange = 'locked' | 'unlocked' | 'suspended' | 'resumed';

const WHY = {
  locked: 'The screen was locked before a person answered; nothing was done.',
  suspended: 'The computer was suspended before a person answered; nothing was done.',
};

const NOT_SENT = 'The screen was locked, or the computer suspended, before this was sent; nothing was done.';

const refusal: Refusal = {
  refused: 'paused',
  detail: 'The screen is locked, so nobody sees what is done. It goes on when the person unlocks it.',
};

type Parts = {
  live: LiveActions;
  /** Ends every prompt that waits, as unanswered. */
  expireAll(details: string): void;
  /** Somebody can sit here again: what was held back may begin. */
  goOn(): void;
};

/**
 * While nobody can sit here, because the screen is locked or the computer is suspended, nothing is taken and nothing is sent;
 * what waits for a person, or was allowed and not sent, has expired. Tasks stand still and go on afterwards. The account of it
 * that the storage does not take is tried again, and until it is taken nothing goes on.
 */
export function createScreenLock(context: Context, parts: Parts) {
  const { store, clock } = context;
  const away = new Set<'locked' | 'suspended'>();
  const owed: (() => void)[] = [];

  const isStopped = () => away.size > 0 || owed.length > 0;

  function leave(because: 'locked' | 'suspended'): void {
    const isFirst = away.size === 0;
    away.add(because);
    if (!isFirst) return;
    owed.push(
      () => journal('screen.locked', { because }),
      () => parts.expireAll(WHY[because]),
      () => expireUnsent(context, parts.live),
    );
    settle();
  }

  function comeBack(from: 'locked' | 'suspended'): void {
    if (!away.delete(from) || away.size > 0) return;
    owed.push(() => journal('screen.unlocked', {}));
    settle();
  }

  function journal(kind: string, metadata: Record<string, string>): void {
    store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind, metadata }));
  }

  function settle(): void {
    untilStored(context, () => {
      for (let next = owed[0]; next !== undefined; next = owed[0]) {
        next();
        owed.shift();
      }
      if (!isStopped()) parts.goOn();
    });
  }

  return {
    /** To be told of every change; being told twice changes nothing. */
    changed(now: ScreenChange): void {
      if (now === 'locked' || now === 'suspended') leave(now);
      else comeBack(now === 'unlocked' ? 'locked' : 'suspended');
    },
    refusal: (): Refusal | undefined => (isStopped() ? refusal : undefined),
  };
}

/**
 * What a person allowed by itself, or whose caller wanted it then, is not done hours later. A step of a task waits that needs
 * nobody, or stands in a plan that was allowed: that stands as a grant does.
 */
function expireUnsent({ store }: Context, live: LiveActions): void {
  const isOver = (row: { id: string; taskId?: string | undefined }) =>
    row.taskId === undefined || store.confirmations.findByAction(row.id) !== undefined;
  for (const row of live.all().filter((each) => each.status === 'queued' && isOver(each))) {
    live.change(row, { event: { kind: 'expired' }, patch: { details: NOT_SENT } });
  }
}
