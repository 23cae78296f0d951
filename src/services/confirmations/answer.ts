import { timingSafeEqual } from 'node:crypto';
import type { Decision, GrantScope } from '../../contract/console.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { grantArguments } from '../../domain/grant.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/records/confirmations.ts';
import { type UnapprovedEnd, unapprovedEnd } from '../actions/cancellation.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { accessObjection, narrowedAccess } from '../permissions/access.ts';
import type { AskedAction, Grants } from '../permissions/grants.ts';
import type { Refusal } from '../refusal.ts';

/** The digest of a prompt's action or plan, and whether a yes needs the person's presence. */
export type Subject = { digest: string; needsPresence: boolean };

/** A proof that a person is at the computer: a held press that the daemon measures, or a finger on Touch ID. */
export type Presence = 'hold' | 'touchId';

/** How long the button must be held where presence is required. */
const HOLD_MS = 1_000;
/** How long a completed hold, or a touch, counts. */
const COUNTS_MS = 30_000; // guard E-6

/**
 * Keeps who was present for which prompt. Presses are measured by the daemon's own clock: a claim of presence without a held
 * press counts for nothing. A touch is told by the desktop shell, in this process; no call over the wire can claim one.
 */
export function createHolds({ clock }: Context) {
  const presses = new Map<string, { pressedAtMs: number; heldAtMs?: number }>();
  const touches = new Map<string, number>();
  const counts = (atMs: number | undefined) => atMs !== undefined && clock.monotonicMs() - atMs <= COUNTS_MS;
  return {
    note(id: string, phase: 'press' | 'release'): undefined {
      const press = presses.get(id);
      const atMs = clock.monotonicMs();
      if (phase === 'press') presses.set(id, { pressedAtMs: atMs });
      else if (press !== undefined && atMs - press.pressedAtMs >= HOLD_MS)
        presses.set(id, { ...press, heldAtMs: atMs });
      else presses.delete(id);
    },
    /** The system has recognized the person's finger, for this prompt. */
    touched(id: string): undefined {
      touches.set(id, clock.monotonicMs());
    },
    /** The proof of presence for this prompt, if there is one now. Where Touch ID works, a held press is no proof: programs can press. */
    presence(id: string, required: Presence): { required: Presence; proof: Presence | undefined } {
      if (counts(touches.get(id))) return { required, proof: 'touchId' };
      return { required, proof: required === 'hold' && counts(presses.get(id)?.heldAtMs) ? 'hold' : undefined };
    },
    forget(id: string): void {
      presses.delete(id);
      touches.delete(id);
    },
  };
}

/** Why an answer does not count, if it does not. Saying no is always possible; saying yes has conditions. */
export function objection(
  { clock }: Context,
  parts: {
    row: ConfirmationRow;
    /** The current subject of the prompt. */
    subject: Subject;
    decision: Decision;
    scopes: readonly GrantScope[];
    asksAccess: Assessment['asksAccess'];
    policyVersion: string;
    /** Whether it is for the prompt as it was before it was judged anew. */
    isForFormer: boolean;
    presence: { required: Presence; proof: Presence | undefined };
    /** From when on no input of ours can have pressed Allow, in epoch ms. */
    handsOffAtMs: number;
  },
): Refusal | undefined {
  const { row, subject, decision, scopes, presence, isForFormer } = parts;
  const isOfPrompt = isForFormer || isSame(decision.nonce, row.nonce); // guard A3-1
  if (!isOfPrompt || !isSame(decision.actionDigest, row.actionDigest) || row.actionDigest !== subject.digest) {
    return {
      refused: 'confirmation_stale',
      detail: 'The answer is for another state of this prompt. Load the prompt again and answer that.',
      countedAs: 'digest_mismatch',
    };
  }
  if (decision.decision === 'deny') return undefined;
  // guard A3-3
  if (isForFormer || row.policyVersion !== parts.policyVersion) {
    return {
      refused: 'confirmation_stale',
      detail:
        'The rules changed after this prompt was made, and it is being judged anew. Load it again and answer that.',
    };
  }
  const { scope = 'once' } = decision;
  if (!scopes.includes(scope)) {
    return {
      refused: 'validation_failed',
      detail: `This prompt can be allowed for: ${scopes.join(', ')}. The answer said ${scope}.`,
    };
  }
  // guard A4-1
  if (row.answerableAtMs === undefined || clock.nowMs() < row.answerableAtMs) {
    return {
      refused: 'confirmation_not_ready',
      detail:
        'The prompt has not been on screen long enough to be allowed. Report it as shown, then wait until answerableAt.',
    };
  }
  // guard N6-2
  if (clock.nowMs() < parts.handsOffAtMs) {
    return {
      refused: 'confirmation_not_ready',
      detail:
        'An action used the pointer or the keyboard while the prompt was shown. Load the prompt again, then wait until answerableAt.',
    };
  }
  const wrongAccess = accessObjection(parts.asksAccess, decision.access);
  if (wrongAccess !== undefined) return { refused: 'validation_failed', detail: wrongAccess };
  // guard A4-2
  if (subject.needsPresence && presence.proof === undefined) {
    return { refused: 'confirmation_not_ready', detail: HOW_TO_PROVE[presence.required] };
  }
  return undefined;
}

const HOW_TO_PROVE: Record<Presence, string> = {
  hold: 'This needs presence: press and hold for at least one second, then allow.',
  touchId: 'This needs Touch ID on this Mac. Allow it in the window of the Handrail app.',
};

/** The action, with the arguments and access that a grant for it would cover. */
export function grantable(live: LiveActions, action: ActionRow): AskedAction {
  const { sentence = action.actionType, covers, asksAccess: access } = live.assessmentOf(action) ?? {};
  const { actionType, parameters = {} } = action;
  const bound = grantArguments({ actionType, parameters }, covers);
  return { row: action, arguments: bound, sentence, covers: covers?.words, access };
}

type Allowed = { scope: GrantScope; presence: Presence | undefined };

/** Records the approval; nothing has been sent yet. */
export function recordAllowed(
  context: Context,
  { live, grants }: { live: LiveActions; grants: Grants },
  { row, scope, presence, access }: Allowed & { row: ActionConfirmation; access: Decision['access'] },
): ActionRow {
  const { store, clock } = context;
  const action = actionOf(live, row);
  const narrowed = access === undefined ? {} : narrowedAccess(action, access);
  const atMs = clock.nowMs();
  const allowed = live.change(action, {
    event: { kind: 'allowed' },
    patch: { ...narrowed, decidedAtMs: atMs, details: 'Allowed by the person; waiting for its turn.' },
    metadata: { confirmationId: row.id, scope, presence: presence ?? null, waitedMs: atMs - row.createdAtMs },
    also() {
      assertChanged(store.confirmations.decide(row.id, { status: 'allowed', atMs, presence }));
      if (scope !== 'once') grants.insert(grantable(live, action), scope);
    },
  });
  if (allowed === undefined) throw new Error(`action ${action.id} was pending and could not be allowed`);
  return allowed;
}

/** Records that a prompt ends without an approval. */
export function recordUnapprovedEnd(
  context: Context,
  live: LiveActions,
  row: ActionConfirmation,
  to: UnapprovedEnd,
): ActionRow {
  const action = actionOf(live, row);
  return live.change(action, unapprovedEnd(context, row, to)) ?? action;
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
