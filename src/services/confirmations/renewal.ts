import { randomBytes } from 'node:crypto';
import type { RiskLevel } from '../../contract/action.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { journalIds } from './journal-ids.ts';

type Parts = {
  holds: { forget(id: string): void };
  queue: { changed(): void };
  policyVersion(): string;
  /** The prompt, or why it cannot be answered. */
  pending(id: string): ConfirmationRow | Refusal;
};

/** Changes of the prompts of actions that are judged anew while they wait. */
export function createRenewal(context: Context, { holds, queue, policyVersion, pending }: Parts) {
  const { store, clock } = context;
  const promptOf = ({ id }: ActionRow) => store.confirmations.findByAction(id);

  return {
    /** Whether the prompt of an action can be answered. */
    isOpen(action: ActionRow): boolean {
      const row = promptOf(action);
      return row !== undefined && !isRefusal(pending(row.id));
    },
    /** The prompt is another one from now on, and has to be shown anew; only inside a write transaction. */
    renew(action: ActionRow, risk: RiskLevel): void {
      const row = promptOf(action);
      if (row === undefined) throw new Error(`the action ${action.id} waits for the person and has no prompt`);
      store.confirmations.renew(row.id, { nonce: newNonce(), policyVersion: policyVersion() });
      store.journal.append(clock.nowMs(), { kind: 'confirmation.renewed', ...journalIds(row), metadata: { risk } });
    },
    /** To be called after that is stored. */
    renewed(action: ActionRow): void {
      const row = promptOf(action);
      if (row !== undefined) holds.forget(row.id);
      queue.changed();
    },
    /** The rules let the action through, so it has no prompt; only inside a write transaction. */
    remove: (action: ActionRow): void => store.confirmations.remove(action.id),
  };
}

/** Proves that an answer is for this state of a prompt. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}
