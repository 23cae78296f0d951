import type { Action } from '../../contract/action.ts';
import { isTerminal } from '../../domain/action-state.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/actions.ts';
import { viewStored } from '../action-view.ts';
import type { Context } from '../context.ts';
import type { Idempotency, Subjects } from '../idempotency.ts';
import { readPage } from '../pages.ts';
import type { Refusal } from '../refusal.ts';
import type { ActionService, SubmissionAnswer } from '../services.ts';
import { createCancel } from './cancellation.ts';
import { createSubmit, heldUntilEnd, type SubmissionParts } from './submission.ts';

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

  const service: ActionService = {
    submit: (submission) => parts.idempotency.once(submission, kept, (fingerprint) => submit(submission, fingerprint)),
    get,
    async ended(userId, actionId, wait) {
      const row = store.actions.find(userId, actionId);
      if (row !== undefined) await heldUntilEnd(live, row, wait);
      return get(userId, actionId);
    },
    list: (userId, { status: statuses, ...filter }, page) =>
      readPage(page, {
        read: (beforeId, limit) =>
          store.actions.page({ userId, beforeId, limit, ...filter, ...(statuses === undefined ? {} : { statuses }) }),
        view,
      }),
    cancel(userId, actionId) {
      const stored = store.actions.find(userId, actionId);
      if (stored === undefined) return actionNotFound(actionId);
      if (isTerminal(stored.status)) return alreadyEnded(stored);
      cancel(live.get(actionId) ?? stored, 'requested');
      return get(userId, actionId);
    },
    types: () =>
      [...CATALOGUE.values()].map(({ name, summary, capability, baseRisk, effectClass, parameters }) => {
        return { name, summary, capability, baseRisk, effectClass, parameters };
      }),
  };

  return { service, cancel };
}

function actionNotFound(actionId: string): Refusal {
  return {
    refused: 'action_not_found',
    detail: `This user has no action ${actionId}. GET /api/tee/actions lists them.`,
  };
}

function alreadyEnded(row: ActionRow): Refusal {
  return {
    refused: 'already_terminal',
    detail: `The action has already ended: ${row.status}. There is nothing left to cancel; GET /api/tee/actions/${row.id} says what became of it.`,
    facts: { actionId: row.id, actionStatus: row.status },
  };
}
