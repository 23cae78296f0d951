import type { SubmissionParts } from '../actions/submission-parts.ts';
import { lookUp, needsNothing, type ToLookUp, toLookUp } from '../actions/to-look-up.ts';
import type { Context } from '../context.ts';
import { createSlice, UNQUEUED } from '../work/sliced-work.ts';
import type { CheckedCall } from './checked-steps.ts';

type Parts = Pick<SubmissionParts, 'apps' | 'paths' | 'rules' | 'stopped'> & Pick<Context, 'clock'>;

/**
 * Asks the agent once about each app and path that the steps name. The prompt for the plan must show the risk of the app or file
 * itself, and not the risk of its name. A step whose parameters come from an earlier result is looked up at its turn. Each step is
 * assessed for that, which can take long for a script, so it is done in slices. A short task goes on within the call.
 */
export async function whenLookedUp<Answer>(
  { steps, turn }: Pick<CheckedCall, 'steps' | 'turn'>,
  { apps, paths, rules, stopped, clock }: Parts,
  goOn: () => Promise<Answer>,
): Promise<Answer> {
  if (stopped() !== undefined) return goOn();
  const slice = createSlice(clock, turn ?? UNQUEUED);
  const needs: ToLookUp[] = [];
  for (const { checked } of steps) {
    needs.push(toLookUp(checked, rules.displays()));
    if (slice.isOver()) await slice.next();
  }
  if (needs.every(needsNothing)) return goOn();
  // The agent's answers may take seconds.
  turn?.end();
  await lookUp(needs, { apps, paths });
  // The work that follows is charged to the caller too.
  if (turn !== undefined) await turn.pause();
  return goOn();
}
