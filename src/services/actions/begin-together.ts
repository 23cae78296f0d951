import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { isRefusal } from '../refusal.ts';
import type { Admitted, CheckedSubmission } from './admission.ts';
import { stageDispatched } from './create.ts';
import { asksForWindow, judged } from './submission.ts';
import type { SubmissionParts } from './submission-parts.ts';
import { needsNothing, toLookUp } from './to-look-up.ts';

type Begun = { row: ActionRow; admitted: Admitted };

/** Whether a submission need not be on disk before it is sent. No other shares a transaction. */
function isRelaxed({ checked }: CheckedSubmission): boolean {
  return !isRefusal(checked) && checked.definition.effectClass === 'pure';
}

/**
 * Begins the submissions that can be sent at once and whose records need not be on disk before that. They share one transaction; the
 * agent is told of them after the commit. Answers the action of each, and nothing for a submission that has to be begun by itself.
 */
export function createBeginTogether(context: Context, parts: SubmissionParts) {
  const { store, log } = context;
  const { live, execution } = parts;

  /** Stores one of them; only inside a write transaction. `ahead`: how many were stored before it in the same transaction. */
  function stage(submission: CheckedSubmission, ahead: number): Begun | undefined {
    const { body, userId, idempotencyKey, checked } = submission;
    if (body.dryRun === true || idempotencyKey !== undefined || isRefusal(checked)) return undefined;
    const { name: actionType, effectClass } = checked.definition;
    if (!isRelaxed(submission) || !execution.isFree({ actionType, effectClass, userId }, ahead)) return undefined;
    if (!needsNothing(toLookUp(checked, parts.rules.displays()))) return undefined;
    const current = judged(submission, parts);
    if (isRefusal(current)) return undefined;
    const { device, admitted } = current;
    if (admitted.judgement.verdict !== 'allow' || admitted.lost !== undefined || asksForWindow(admitted))
      return undefined;
    return { row: stageDispatched(context, { submission, device, admitted }), admitted };
  }

  function stageAll(submissions: readonly CheckedSubmission[]): (Begun | undefined)[] {
    let ahead = 0;
    return submissions.map((submission) => {
      const begun = stage(submission, ahead);
      if (begun !== undefined) ahead += 1;
      return begun;
    });
  }

  function stored(submissions: readonly CheckedSubmission[]): (Begun | undefined)[] {
    if (!submissions.some(isRelaxed)) return submissions.map(() => undefined);
    try {
      return store.write('relaxed', () => stageAll(submissions));
    } catch (error) {
      parts.rules.permissions.forgetCounts();
      // Nothing of it is stored. Each is begun by itself, so that it fails or succeeds by itself.
      log.error({ err: error }, 'submissions could not be recorded in one transaction; each is recorded by itself');
      return submissions.map(() => undefined);
    }
  }

  return (submissions: readonly CheckedSubmission[]): readonly (ActionRow | undefined)[] => {
    const begun = stored(submissions);
    for (const each of begun) {
      if (each === undefined) continue;
      live.keep(each.row, each.admitted);
      execution.send(each.row);
    }
    execution.flush();
    return begun.map((each) => each?.row);
  };
}
