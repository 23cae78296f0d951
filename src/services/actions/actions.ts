import { hash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Action } from '../../contract/action.ts';
import { type FileInside, MAX_LOOKED_BYTES } from '../../contract/files.ts';
import { isTerminal } from '../../domain/action-state.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
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

/** An artifact never changes, and an action that waits is judged again and again. */
const MOST_REMEMBERED = 32;

/** Reads the beginning of artifacts whose contents are to be written to files. Another user's artifacts are not read. */
export function createArtifactContents({ store }: Pick<Context, 'store'>) {
  const remembered = new Map<string, FileInside>();

  return (userId: string, artifactId: string): FileInside | undefined => {
    const artifact = store.artifacts.find(userId, artifactId);
    if (artifact === undefined || artifact.removedAtMs !== undefined) return undefined;
    const contents = remembered.get(artifactId) ?? readContents(store.artifactFiles.pathOf(artifactId), artifact);
    if (contents === undefined) return undefined;
    remembered.delete(artifactId);
    remembered.set(artifactId, contents);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return contents;
  };
}

/** Nothing where the file is gone or is not as it was stored. The agent compares the hash of the whole when it writes. */
function readContents(path: string, { sizeBytes, sha256 }: ArtifactRow): FileInside | undefined {
  const bytes = beginningOf(path, Math.min(sizeBytes, MAX_LOOKED_BYTES));
  const isWhole = sizeBytes <= MAX_LOOKED_BYTES;
  if (bytes === undefined || (isWhole && hash('sha256', bytes, 'hex') !== sha256)) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // The last character of a beginning may be cut.
  const isText = !/[\0\ufffd]/u.test(isWhole ? text : text.slice(0, -1));
  return { text, isText, isWhole, sizeBytes };
}

function beginningOf(path: string, length: number): Buffer | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    // The disk no longer has it: its contents are not known.
    return undefined;
  }
}
