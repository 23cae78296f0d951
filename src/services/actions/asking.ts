import type { RiskLevel } from '../../contract/risk-level.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Admitted } from './admission.ts';

/** The calls to the prompts that actions make. */
export type Asking = {
  /** Stores the prompt for an action; only inside the transaction that stores the action. */
  insert(action: ActionRow, targetDigest: string): ActionConfirmation;
  /** Ends the prompt in time, unless the person answers before. */
  watch(row: ConfirmationRow): void;
  wasJustDenied(userId: string, asked: Pick<Admitted, 'digest' | 'targetDigest'>): boolean;
  pendingCounts(userId: string): { ofUser: number; inAll: number };
  isOpen(action: ActionRow): boolean;
  /** Makes the prompt one of the rules of now. `renewed` is called once that is stored. */
  renew(action: ActionRow, risk: RiskLevel): void;
  renewed(action: ActionRow): void;
  /** Removes the prompt of an action that needs none now. `released` is called once that is stored. */
  remove(action: ActionRow): void;
  released(action: ActionRow): void;
};
