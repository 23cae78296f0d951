import type { Action } from '../../contract/action.ts';
import type { Decision, GrantScope } from '../../contract/console.ts';
import type { Task } from '../../contract/task.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/records/confirmations.ts';
import { viewStored } from '../actions/action-view.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../permissions/grants.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { actionOf, objection, type Presence, recordAllowed } from './answer.ts';
import type { createPlans } from './plans.ts';
import { viewTask } from './task-view.ts';
import { questionOf, scopesFor, subjectOf } from './view.ts';

type Parts = {
  live: LiveActions;
  grants: Grants;
  plans: ReturnType<typeof createPlans>;
  denials: { deny(row: ConfirmationRow, how: { undoable: boolean; note: string | undefined }): void };
  handsOff: { atMs(row: ConfirmationRow): number };
  holds: { presence(id: string, required: Presence): { required: Presence; proof: Presence | undefined } };
  queue: { changed(): void };
  renewal: { isForFormer(row: ConfirmationRow, decision: { nonce: string }): boolean };
  turns: { ended(id: string): void };
  /** The prompt, or why it cannot be answered. */
  find(id: string): ConfirmationRow | Refusal;
  policyVersion(): string;
  requiredPresence(): Presence;
  allowed(row: ActionRow): void;
  granted(): void;
};

type EqualPromptsParts = {
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
function equalPrompts(
  row: ConfirmationRow,
  { equal = [] }: Pick<Decision, 'equal'>,
  { find, actionOf, questionOf, policyVersion }: EqualPromptsParts,
): ActionConfirmation[] | Refusal {
  if (equal.length === 0) return [];
  if (row.kind === 'plan') return OTHERS_NOW;
  const question = questionOf(actionOf(row));
  const found: ActionConfirmation[] = [];
  for (const id of new Set(equal)) {
    const other = find(id);
    if (isRefusal(other) || other.kind === 'plan' || other.id === row.id) return OTHERS_NOW;
    const isEqual = other.actionDigest === row.actionDigest && questionOf(actionOf(other)) === question; // guard P3-1
    if (!isEqual || other.policyVersion !== policyVersion) return OTHERS_NOW; // guard P3-3
    found.push(other);
  }
  return found;
}

const OTHERS_NOW: Refusal = {
  refused: 'confirmation_stale',
  detail: 'Not all of the equal requests wait as they did. Load the prompt again and answer that.',
};

/** Takes the person's answers to prompts. */
export function createDecide(context: Context, parts: Parts) {
  const { live, denials, handsOff, holds, queue, renewal, turns, find } = parts;

  /** The prompts that an answer is for, the one that was read first, or why it does not count. */
  function answered(row: ConfirmationRow, decision: Decision): readonly ConfirmationRow[] | Refusal {
    const policyVersion = parts.policyVersion();
    const conditions = {
      subject: subjectOf(live, row),
      scopes: scopesFor(live, row),
      asksAccess: row.kind === 'plan' ? undefined : live.assessmentOf(actionOf(live, row))?.asksAccess,
      policyVersion,
      isForFormer: renewal.isForFormer(row, decision),
      presence: holds.presence(row.id, parts.requiredPresence()),
      handsOffAtMs: handsOff.atMs(row),
    };
    const refusal = objection(context, { row, decision, ...conditions });
    if (refusal !== undefined) return refusal;
    const equal = equalPrompts(row, decision, {
      find,
      actionOf: (one) => actionOf(live, one),
      questionOf: (action) => questionOf(context, action),
      policyVersion,
    });
    return isRefusal(equal) ? equal : [row, ...equal];
  }

  /** Only the prompt that was read gives a grant. */
  function allowAll(rows: readonly ConfirmationRow[], { scope = 'once', access }: Decision): void {
    const [first, ...equal] = rows;
    if (first === undefined) return;
    const { proof } = holds.presence(first.id, parts.requiredPresence());
    allow(context, parts, { row: first, scope, proof, access });
    for (const row of equal) allow(context, parts, { row, scope: 'once', proof, access });
  }

  /**
   * Answers the subject of the prompt in its current state: an action, or the task whose plan it was. The prompts in `equal` get the
   * same answer, once each.
   */
  return (id: string, decision: Decision): Action | Task | Refusal => {
    const row = find(id);
    if (isRefusal(row)) return row;
    const rows = answered(row, decision);
    if (isRefusal(rows)) return rows;
    if (decision.decision === 'deny')
      for (const one of rows) denials.deny(one, { undoable: decision.undoable === true, note: decision.note });
    else allowAll(rows, decision);
    // A denial that can be undone ends the prompt later.
    turns.ended(id);
    queue.changed();
    if (givesGrant(decision)) parts.granted();
    return decidedOf(context, live, row);
  };
}

type Answer = {
  row: ConfirmationRow;
  scope: GrantScope;
  proof: Presence | undefined;
  access: Decision['access'] | undefined;
};

function allow(
  context: Context,
  { plans, ...parts }: Pick<Parts, 'live' | 'grants' | 'plans' | 'allowed'>,
  { row, scope, proof, access }: Answer,
): void {
  // Where no proof is needed none is recorded.
  const presence = subjectOf(parts.live, row).needsPresence ? proof : undefined;
  if (row.kind === 'plan') plans.end(row, { end: 'allowed', presence });
  else parts.allowed(recordAllowed(context, parts, { row, scope, presence, access }));
}

function decidedOf(context: Context, live: LiveActions, row: ConfirmationRow): Action | Task {
  const { store } = context;
  if (row.kind === 'plan') {
    const task = store.tasks.findById(row.taskId);
    if (task === undefined) throw new Error(`the plan of ${row.taskId} was answered and the task is not there`);
    return viewTask(context, task);
  }
  const action = live.get(row.actionId) ?? store.actions.findById(row.actionId);
  if (action === undefined) throw new Error(`the action ${row.actionId} was answered and is not there`);
  return viewStored(context, action);
}

function givesGrant({ decision, scope = 'once' }: Decision): boolean {
  return decision === 'allow' && scope !== 'once';
}
