import type { Confirmation } from '../../contract/console.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ConfirmationRow } from '../../store/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../grants.ts';
import { createCalls } from './calls.ts';
import { readHistory } from './prompt-words.ts';
import { riskOf } from './subject.ts';
import { viewConfirmation } from './view.ts';

/** The prompts in the order in which a person meets them: the highest risk first, and within it the oldest. */
export function createQueue(context: Context, { live, grants }: { live: LiveActions; grants: Grants }) {
  const calls = createCalls(context);

  function rows(): ConfirmationRow[] {
    return context.store.confirmations.pending().toSorted((one, other) => {
      const [risk, otherRisk] = [riskOf(live, one), riskOf(live, other)];
      if (risk !== otherRisk) return isAtLeast(risk, otherRisk) ? -1 : 1;
      return one.id < other.id ? -1 : 1;
    });
  }

  function views(isWanted: (row: ConfirmationRow) => boolean): Confirmation[] {
    const all = rows();
    const history = readHistory(context);
    return all.flatMap((row, index) => {
      if (!isWanted(row)) return [];
      const queued = { place: index + 1, waiting: all.length, calledAtMs: calls.calledAtMs(row.id), history };
      return [viewConfirmation(context, { live, grants }, { row, ...queued })];
    });
  }

  return {
    list: (): Confirmation[] => views(() => true),
    isFirst: (row: ConfirmationRow): boolean => rows()[0]?.id === row.id,
    /** The prompt as the dashboard sees it; it must be pending. */
    view(id: string): Confirmation {
      const [found] = views((row) => row.id === id);
      if (found === undefined) throw new Error(`confirmation ${id} is pending and not in the queue`);
      return found;
    },
    /** To be told whenever a prompt came or ended: the person may have to be called for another one. */
    changed: (): void => calls.consider(() => rows()[0]),
  };
}
