import type { Decision } from '../../contract/console.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/records/confirmations.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Subject } from './answer.ts';

type Parts = {
  /** A prompt, or why it cannot be answered. */
  find(id: string): ConfirmationRow | Refusal;
  /** The current subject of a prompt. */
  subjectOf(row: ConfirmationRow): Subject;
  policyVersion: string;
};

/**
 * The other prompts that an answer is for as well. Each must ask, now, for exactly the action that the person read: the same
 * requester, the same digest, the same risk, the same rules. If one of them does not, the whole answer is refused.
 */
export function equalPrompts(
  row: ConfirmationRow,
  { equal = [] }: Pick<Decision, 'equal'>,
  { find, subjectOf, policyVersion }: Parts,
): ActionConfirmation[] | Refusal {
  const found: ActionConfirmation[] = [];
  const level = equal.length === 0 ? undefined : subjectOf(row).level;
  for (const id of new Set(equal)) {
    const other = find(id);
    if (isRefusal(other) || other.kind === 'plan' || other.id === row.id) return OTHERS_NOW;
    const { digest, level: otherLevel } = subjectOf(other);
    const isEqual =
      row.kind === 'action' &&
      other.userId === row.userId &&
      other.actionDigest === row.actionDigest &&
      digest === row.actionDigest &&
      otherLevel === level &&
      other.policyVersion === policyVersion;
    if (!isEqual) return OTHERS_NOW;
    found.push(other);
  }
  return found;
}

const OTHERS_NOW: Refusal = {
  refused: 'confirmation_stale',
  detail: 'Not all of the equal requests wait as they did. Load the prompt again and answer that.',
};
