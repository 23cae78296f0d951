import type { ActionStatus } from './action.ts';
import type { ConfirmationStatus } from './console.ts';

/** Whether a prompt ended without an answer before its time was over: by a stop, by the requester or by a change of the rules. */
export function isWithdrawn(prompt: ConfirmationStatus, action: ActionStatus): boolean {
  return prompt === 'expired' && action === 'cancelled';
}
