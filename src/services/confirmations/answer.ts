import { timingSafeEqual } from 'node:crypto';
import type { RiskLevel } from '../../contract/action.ts';
import type { Decision, GrantScope } from '../../contract/console.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../grants.ts';
import type { Refusal } from '../refusal.ts';

/** The digest of what would be done, and its risk. */
export type Subject = { digest: string; level: RiskLevel };

/** Why an answer does not count, if it does not. Saying no is always possible; saying yes has conditions. */
export function objection(
  { clock }: Context,
  parts: {
    row: ConfirmationRow;
    /** What it is about, as it is now. */
    subject: Subject;
    decision: Decision;
    scopes: readonly GrantScope[];
    policyVersion: string;
    isHeld: boolean;
  },
): Refusal | undefined {
  const { row, subject, decision, scopes, isHeld } = parts;
  const isCurrent = isSame(decision.nonce, row.nonce) && isSame(decision.actionDigest, row.actionDigest);
  if (!isCurrent || row.actionDigest !== subject.digest) {
    return {
      refused: 'confirmation_stale',
      detail: 'The answer is for another state of this prompt. Load the prompt again and answer that.',
      countedAs: 'digest_mismatch',
    };
  }
  if (decision.decision === 'deny') return undefined;
  if (row.policyVersion !== parts.policyVersion) {
    return {
      refused: 'confirmation_stale',
      detail:
        'The rules changed after this prompt was made, so it can only be denied. The action may be submitted again.',
    };
  }
  const { scope = 'once' } = decision;
  if (!scopes.includes(scope)) {
    return {
      refused: 'validation_failed',
      detail: `This prompt can be allowed for: ${scopes.join(', ')}. The answer said ${scope}.`,
    };
  }
  if (row.answerableAtMs === undefined || clock.nowMs() < row.answerableAtMs) {
    return {
      refused: 'confirmation_not_ready',
      detail:
        'The prompt has not been on screen long enough to be allowed. Report it as shown, then wait until answerableAt.',
    };
  }
  if (isAtLeast(subject.level, 'high') && !isHeld) {
    return {
      refused: 'confirmation_not_ready',
      detail: 'High risk needs presence: press and hold for at least one second, then allow.',
    };
  }
  return undefined;
}

/** Records the person's yes; nothing has been sent yet. */
export function recordAllowed(
  context: Context,
  { live, grants }: { live: LiveActions; grants: Grants },
  { row, scope }: { row: ActionConfirmation; scope: GrantScope },
): ActionRow {
  const { store, clock } = context;
  const action = actionOf(live, row);
  const presence = presenceFor(action.risk.level);
  const atMs = clock.nowMs();
  const allowed = live.change(action, {
    event: { kind: 'allowed' },
    patch: { decidedAtMs: atMs, details: 'Allowed by the person; waiting for its turn.' },
    metadata: { confirmationId: row.id, scope, presence: presence ?? null, waitedMs: atMs - row.createdAtMs },
    also() {
      assertChanged(store.confirmations.decide(row.id, { status: 'allowed', atMs, presence }));
      if (scope !== 'once') grants.insert(action, scope);
    },
  });
  if (allowed === undefined) throw new Error(`action ${action.id} was pending and could not be allowed`);
  return allowed;
}

/** What proves that a person was there: high risk cannot be allowed without it. */
export function presenceFor(level: RiskLevel): 'hold' | undefined {
  return isAtLeast(level, 'high') ? 'hold' : undefined;
}

/** Records that there will be no yes. */
export function recordRefused(
  { store }: Context,
  live: LiveActions,
  row: ActionConfirmation,
  to: { status: 'denied' | 'expired'; details: string },
): ActionRow {
  const action = actionOf(live, row);
  const ended = live.change(action, {
    event: { kind: to.status },
    patch: { details: to.details },
    metadata: { confirmationId: row.id },
    also: (atMs) => assertChanged(store.confirmations.decide(row.id, { status: to.status, atMs })),
  });
  return ended ?? action;
}

/** The action a pending confirmation is about. */
export function actionOf(live: LiveActions, row: ActionConfirmation): ActionRow {
  const action = live.get(row.actionId);
  if (action === undefined)
    throw new Error(`confirmation ${row.id} is pending, and its action ${row.actionId} is not live`);
  return action;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function assertChanged(changed: boolean): void {
  if (!changed) throw new Error('a confirmation that was pending could not be answered');
}
