import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { isRefusal } from '../refusal.ts';
import type { Submission } from '../services.ts';
import { stageDispatched } from './create.ts';
import { asksForWindow, judged } from './submission.ts';
import type { SubmissionParts } from './submission-parts.ts';
import { needsNothing, toLookUp } from './to-look-up.ts';

/**
 * Begins the submissions that can be sent at once and whose records need not be on disk before that. They share one transaction; the
 * agent is told of them after the commit. Answers the action of each, and nothing for a submission that has to be begun by itself.
 */
export function createBeginTogether(context: Context, parts: SubmissionParts) {
  const { store, log } = context;
  const { live, execution } = parts;

  /** Stores one of them; only inside a write transaction. `ahead`: how many were stored before it in the same transaction. */
  function stage(submission: Submission, ahead: number): ActionRow | undefined {
    const { body, userId, idempotencyKey } = submission;
    const definition = CATALOGUE.get(body.actionType);
    if (body.dryRun === true || idempotencyKey !== undefined || definition?.effectClass !== 'pure') return undefined;
    const candidate = { actionType: definition.name, effectClass: definition.effectClass, userId };
    if (!execution.isFree(candidate, ahead) || !needsNothing(toLookUp(definition.name, body.parameters)))
      return undefined;
    const current = judged(submission, parts);
    if (isRefusal(current)) return undefined;
    const { device, admitted } = current;
    if (admitted.judgement.verdict !== 'allow' || admitted.lost !== undefined || asksForWindow(admitted))
      return undefined;
    return stageDispatched(context, { submission, device, admitted });
  }

  function stageAll(submissions: readonly Submission[]): (ActionRow | undefined)[] {
    let ahead = 0;
    return submissions.map((submission) => {
      const row = stage(submission, ahead);
      if (row !== undefined) ahead += 1;
      return row;
    });
  }

  function stored(submissions: readonly Submission[]): (ActionRow | undefined)[] {
    try {
      return store.write('relaxed', () => stageAll(submissions));
    } catch (error) {
      parts.rules.permissions.forgetCounts();
      // Nothing of it is stored. Each is begun by itself, so that it fails or succeeds by itself.
      log.error({ err: error }, 'submissions could not be recorded in one transaction; each is recorded by itself');
      return submissions.map(() => undefined);
    }
  }

  return (submissions: readonly Submission[]): readonly (ActionRow | undefined)[] => {
    const rows = stored(submissions);
    for (const row of rows) {
      if (row === undefined) continue;
      live.keep(row);
      execution.send(row);
    }
    execution.flush();
    return rows;
  };
}
