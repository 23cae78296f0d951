import canonicalize from 'canonicalize';
import type { Confirmation, GrantScope } from '../../contract/console.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { offeredScopes } from '../../domain/grant.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { ConfirmationRow } from '../../store/confirmations.ts';
import { viewAction } from '../action-view.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../grants.ts';
import { timestamp } from '../timestamps.ts';

type PromptParts = {
  row: ConfirmationRow;
  action: ActionRow;
  calledAtMs: number | undefined;
  place: number;
  waiting: number;
};

/** A confirmation as the dashboard sees it. */
export function viewConfirmation(context: Context, grants: Grants, parts: PromptParts): Confirmation {
  const { row, action } = parts;
  return {
    id: row.id,
    nonce: row.nonce,
    actionDigest: row.actionDigest,
    status: row.status,
    createdAt: timestamp(row.createdAtMs),
    ...(parts.calledAtMs === undefined ? {} : { calledAt: timestamp(parts.calledAtMs) }),
    ...(row.shownAtMs === undefined ? {} : { shownAt: timestamp(row.shownAtMs) }),
    ...(row.answerableAtMs === undefined ? {} : { answerableAt: timestamp(row.answerableAtMs) }),
    expiresAt: timestamp(row.expiresAtMs),
    presenceRequired: isAtLeast(action.risk.level, 'high'),
    scopes: scopesOf(action).map((scope) => ({ scope, grant: grants.literal(action, scope) })),
    ...promptOf(context, parts),
  };
}

/** The action of a confirmation and the facts of its prompt, in the order in which they are shown. */
function promptOf(context: Context, parts: PromptParts): Pick<Confirmation, 'action' | 'prompt'> {
  const { store } = context;
  const { row, action, place, waiting } = parts;
  const assessment = assessmentOf(action);
  const before = store.confirmations.allowedBefore(row.userId, action.actionType);
  return {
    action: viewAction(action, { artifacts: [], confirmation: row }),
    prompt: {
      requester: {
        userId: row.userId,
        via: action.taskId === undefined ? 'http' : 'task',
        knownSince: timestamp(store.users.find(row.userId)?.firstSeenAtMs ?? action.createdAtMs),
      },
      sentence: assessment.sentence,
      arguments: visible(canonicalize(action.parameters) ?? '{}'),
      changes: assessment.changes,
      risk: action.risk,
      ...taskOf(context, action),
      history: historyOf(before),
      ...(action.reason === undefined ? {} : { reason: visible(action.reason) }),
      place,
      waiting,
    },
  };
}

/** Which step of which task it is, and which later ones will ask as well. */
function taskOf({ store }: Context, { taskId, stepId }: ActionRow): Pick<Confirmation['prompt'], 'task'> {
  const task = taskId === undefined ? undefined : store.tasks.findById(taskId);
  if (task === undefined) return {};
  const others = task.steps.filter((step) => step.id !== stepId && step.asks && step.status === 'pending');
  return {
    task: {
      name: visible(task.name),
      step: task.steps.findIndex(({ id }) => id === stepId) + 1,
      of: task.steps.length,
      alsoAsks: others.map(({ id, actionType }) => `${actionType} (${id})`),
    },
  };
}

/** For how long an action may be allowed; each but the first becomes a grant. */
export function scopesOf(action: ActionRow): GrantScope[] {
  const shown = visible(canonicalize(action.parameters) ?? '{}');
  return offeredScopes(
    { ...assessmentOf(action), risk: action.risk },
    { arguments: shown, inTask: action.taskId !== undefined },
  );
}

function assessmentOf(action: ActionRow): Assessment {
  const assessed = CATALOGUE.get(action.actionType)?.assess(action.parameters);
  if (assessed?.ok !== true) throw new Error(`action ${action.id} was accepted and can no longer be assessed`);
  return assessed.assessment;
}

/** Control, bidirectional, zero-width and other characters that show nothing become escapes, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, (character) => {
    return character === '\n' ? '\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

function historyOf(before: { times: number; lastAtMs: number | null }): string {
  if (before.times === 0 || before.lastAtMs === null) return 'First time';
  return `Allowed ${before.times} ${before.times === 1 ? 'time' : 'times'}, last ${timestamp(before.lastAtMs)}`;
}
