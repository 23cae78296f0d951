import type { Action } from '../../contract/action.ts';
import { isTerminal } from '../../domain/action-state.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import type { Idempotency, Subjects } from '../records/idempotency.ts';
import type { Refusal } from '../refusal.ts';
import type { ActionService, SubmissionAnswer } from '../requester-services.ts';
import { readPage } from '../work/pages.ts';
import { nextTurn } from '../work/turns.ts';
import { viewStored } from './action-view.ts';
import { type CheckedSubmission, checkSubmission } from './admission.ts';
import { type CancelledBy, createCancel } from './cancellation.ts';
import { canonicalSubmission } from './checked-action.ts';
import { createSubmit, heldUntilEnd } from './submission.ts';
import type { SubmissionParts } from './submission-parts.ts';

/** To read a larger result and to turn it into JSON takes so long that callers do it one after the other. */
const LARGE_BYTES = 64 * 1024;

export type Actions = ReturnType<typeof createActionService>;

/** Actions, from submission to record. */
export function createActionService(context: Context, parts: SubmissionParts & { idempotency: Idempotency }) {
  const { store } = context;
  const { live } = parts;
  const kept: Subjects<SubmissionAnswer, Action> = {
    keys: store.idempotencyKeys,
    viewById: get,
    viewIn: (answer) => (answer.kind === 'action' ? answer.action : undefined),
    replayed: (action) => ({ kind: 'action', action, replayed: true }),
    isFinal: ({ status }) => isTerminal(status),
  };
  const submit = createSubmit(context, parts);
  const cancel = createCancel(context, parts);
  const view = (row: ActionRow) => viewStored(context, row);

  function get(userId: string, actionId: string): Action | Refusal {
    const row = store.actions.find(userId, actionId);
    return row === undefined ? actionNotFound(actionId) : view(row);
  }

  function cancelStored(stored: ActionRow | undefined, by: CancelledBy): Action | Refusal | undefined {
    if (stored === undefined) return undefined;
    if (isTerminal(stored.status)) return alreadyEnded(stored);
    cancel(live.get(stored.id) ?? stored, { reason: 'requested', by });
    return get(stored.userId, stored.id);
  }

  function submitOnce(submission: CheckedSubmission) {
    const { body, caution, checked } = submission;
    const canonicalBody = () => `${canonicalSubmission(body, checked)}${caution === undefined ? '' : '+caution'}`;
    const call = { ...submission, canonicalBody };
    return parts.idempotency.once(call, kept, (fingerprint) => submit(submission, fingerprint));
  }

  const service: ActionService = {
    submit: (submission) => submitOnce(checkSubmission(submission)),
    get,
    former: (userId, key) => parts.idempotency.former(userId, key, kept),
    forgetKey: (userId, key) => parts.idempotency.forget(userId, key, kept.keys),
    async ended(userId, actionId, wait) {
      const row = live.get(actionId);
      if (row?.userId === userId && wait.waitMs > 0) await heldUntilEnd(live, row, wait);
      if (store.actions.dataBytes(userId, actionId) > LARGE_BYTES) await nextTurn(userId);
      return get(userId, actionId);
    },
    list: (userId, { status: statuses, ...filter }, page) =>
      readPage(context, page, {
        pause: () => nextTurn(userId),
        read: (beforeId, limit) => store.actions.page({ userId, beforeId, limit, ...filter, statuses }),
        view,
      }),
    cancel: (userId, actionId) =>
      cancelStored(store.actions.find(userId, actionId), 'requester') ?? actionNotFound(actionId),
    wasApproved(userId, actionId) {
      const row = store.actions.find(userId, actionId);
      return row?.status === 'success' && store.confirmations.findByAction(row.id)?.decidedAtMs !== undefined;
    },
    types: () =>
      [...CATALOGUE.values()].map(({ name, summary, capability, baseRisk, effectClass, parameters }) => {
        return { name, summary, capability, baseRisk, effectClass, parameters };
      }),
  };

  return {
    service,
    cancel,
    /** Cancels an action of any requester. */
    cancelByPerson: (actionId: string): Action | Refusal =>
      cancelStored(store.actions.findById(actionId), 'person') ?? noSuchAction(actionId),
  };
}

function actionNotFound(actionId: string): Refusal {
  return {
    refused: 'action_not_found',
    detail: `This user has no action ${actionId}.`,
    see: 'actions',
  };
}

function noSuchAction(actionId: string): Refusal {
  return {
    refused: 'action_not_found',
    detail: `There is no action ${actionId}. GET /api/console/activity lists the latest.`,
  };
}

function alreadyEnded(row: ActionRow): Refusal {
  return {
    refused: 'already_terminal',
    detail: `The action has already ended: ${row.status}. There is nothing left to cancel; GET /api/tee/actions/${row.id} says what became of it.`,
    facts: { actionId: row.id, actionStatus: row.status },
  };
}
