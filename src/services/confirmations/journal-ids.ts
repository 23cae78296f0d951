import type { EventIds } from '../../domain/journal/journal-event.ts';
import type { PendingConfirmation } from '../../store/records/confirmations.ts';

/** The ids that a journal event about a prompt carries; the prompt of a plan is about no single action. */
export function journalIds(row: PendingConfirmation): Pick<EventIds, 'userId' | 'actionId' | 'confirmationId'> {
  const { id: confirmationId, userId } = row;
  return { userId, ...(row.kind === 'action' && { actionId: row.actionId }), confirmationId };
}
