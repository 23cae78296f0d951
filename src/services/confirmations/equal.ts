import type { Decision } from '../../contract/console.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/records/confirmations.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

type Parts = {
  /** A prompt, or why it cannot be answered. */
  find(id: string): ConfirmationRow | Refusal;
  actionOf(row: ActionConfirmation): ActionRow;
  questionOf(action: ActionRow): string;
  policyVersion: string;
};

/**
 * The other prompts that the same answer covers. Each must still ask the exact question that the person read, by the same rules. If one
 * of them does not, the whole answer is refused.
 */
export function equalPrompts(
  row: ConfirmationRow,
  { equal = [] }: Pick<Decision, 'equal'>,
  { find, actionOf, questionOf, policyVersion }: Parts,
): ActionConfirmation[] | Refusal {
  if (equal.length === 0) return [];
  if (row.kind === 'plan') return OTHERS_NOW;
  const question = questionOf(actionOf(row));
  const found: ActionConfirmation[] = [];
  for (const id of new Set(equal)) {
    const other = find(id);
    if (isRefusal(other) || other.kind === 'plan' || other.id === row.id) return OTHERS_NOW;
    const isEqual = other.actionDigest === row.actionDigest && questionOf(actionOf(other)) === question;
    if (!isEqual || other.policyVersion !== policyVersion) return OTHERS_NOW;
    found.push(other);
  }
  return found;
}

const OTHERS_NOW: Refusal = {
  refused: 'confirmation_stale',
  detail: 'Not all of the equal requests wait as they did. Load the prompt again and answer that.',
};
