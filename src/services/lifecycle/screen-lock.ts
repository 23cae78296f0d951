import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { journalSelf } from '../records/verification.ts';
import type { Refusal } from '../refusal.ts';
import { createSlices, type Piece } from '../work/slices.ts';

/** A report about the person's session or the machine. */
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

export type ScreenLock = ReturnType<typeof createScreenLock>;

type Parts = {
  live: LiveActions;
  /** The pieces of work that end every waiting prompt as unanswered. */
  endings(details: string): Iterable<Piece>;
  /** The person is back: work that was held back may begin. */
  goOn(): void;
};

/**
 * While the screen is locked or the computer is suspended, nobody can sit here. Then nothing is taken or sent, and no prompt can be
 * answered. Waiting prompts expire, and so do allowed actions that were not sent. Tasks stand still and go on afterwards. All of
 * that is recorded in slices, again and again until the storage takes it, and nothing goes on before.
 */
export function createScreenLock(context: Context, parts: Parts) {
  const { clock, log } = context;
  const away = new Set<'locked' | 'suspended'>();
  let heldUntilMs = 0;
  const slices = createSlices(context, { done: goOn, failed });

  const isStopped = () => away.size > 0 || slices.isBusy();

  function goOn(): void {
    if (away.size > 0) return;
    heldUntilMs = clock.nowMs();
    parts.goOn();
  }

  function* endings(because: 'locked' | 'suspended'): Generator<Piece> {
    yield () => journalSelf(context, { kind: 'screen.locked', metadata: { because } });
    yield* parts.endings(WHY[because]);
    yield* unsentEndings(context, parts.live);
  }

  function leave(because: 'locked' | 'suspended'): void {
    const isFirst = away.size === 0;
    away.add(because);
    if (isFirst) slices.begin(endings(because));
  }

  function comeBack(from: 'locked' | 'suspended'): void {
    if (!away.delete(from) || away.size > 0) return;
    slices.begin([() => journalSelf(context, { kind: 'screen.unlocked' })]);
  }

  function failed(error: unknown): void {
    log.error({ err: error }, 'a locked screen holds everything, but that could not be recorded; it is tried again');
  }

  return {
    /** Call this at every change. A second call for the same change has no effect. */
    changed(now: ScreenChange): void {
      if (now === 'locked' || now === 'suspended') leave(now);
      else comeBack(now === 'unlocked' ? 'locked' : 'suspended');
    },
    refusal: (): Refusal | undefined => (isStopped() ? refusal : undefined),
    /** Until when everything was held; infinite while it is. */
    heldUntilMs: (): number => (isStopped() ? Number.POSITIVE_INFINITY : heldUntilMs),
  };
}

/**
 * The pieces of work that end actions which were not sent: actions that a person allowed one by one, and actions whose
 * callers do not wait for hours. Steps of a task stay if they need no approval or their plan was allowed.
 */
function* unsentEndings({ store }: Context, live: LiveActions): Generator<Piece> {
  const isOver = (row: { id: string; taskId?: string | undefined }) =>
    row.taskId === undefined || store.confirmations.findByAction(row.id) !== undefined;
  for (const { id } of live.all()) {
    yield () => {
      const row = live.get(id);
      if (row?.status === 'queued' && isOver(row))
        live.change(row, { event: { kind: 'expired' }, patch: { details: NOT_SENT } });
    };
  }
}
