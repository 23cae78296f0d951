import { hash } from 'node:crypto';
import type { ActionError } from '../../contract/action.ts';
import { initialState } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { Context } from '../context.ts';
import { sentenceOf } from '../prompt-words.ts';
import type { Submission } from '../requester-services.ts';
import type { Admitted, Asking } from './admission.ts';
import { consumeApproval, isApproved } from './dispatch.ts';
import { durabilityOf, stepFacts } from './live-actions.ts';

export type Created = { row: ActionRow; confirmation?: ConfirmationRow | undefined };

type Parts = {
  submission: Submission;
  device: DeviceRow;
  admitted: Admitted;
  /** A place is free, so the action need not be queued first. */
  dispatchNow: boolean;
  /** The details in its record if no place is free. */
  turnWords: string;
  /** The person denied the same type of action on the same target a moment ago. */
  repeatsDenial: boolean;
  fingerprint?: string | undefined;
  /** Further writes of the same transaction. */
  alongside?: ((row: ActionRow) => void) | undefined;
};

/**
 * Stores a judged submission with its journal events in one transaction: blocked, denied, waiting for a person, queued, or,
 * where `dispatchNow` says that there is a place for it, already dispatched.
 */
export function createAction(context: Context, confirmations: Asking, parts: Parts): Created {
  const row = newRow(context, parts);
  return context.store.write(durabilityOf(row), () => {
    storeNew(context, row, parts);
    const isAsking = row.status === 'awaiting_confirmation';
    return { row, confirmation: isAsking ? confirmations.insert(row, parts.admitted.targetDigest()) : undefined };
  });
}

function storeNew(context: Context, row: ActionRow, parts: Parts): void {
  const { store } = context;
  store.users.see(row.userId, row.createdAtMs);
  store.actions.insert(row);
  journalRequest(context, row, parts);
  if (row.status === 'running' && isApproved(row)) consumeApproval(context, row, row.createdAtMs);
  keepIdempotencyKey(context, row, parts);
  parts.alongside?.(row);
}

function journalRequest({ store }: Context, row: ActionRow, parts: Parts): void {
  const { admitted } = parts;
  const { verdict, status } =
    lossOf(admitted) !== undefined ? { verdict: null, status: 'queued' as const } : asJudged(admitted);
  const subjects = { userId: row.userId, deviceId: row.deviceId, actionId: row.id };
  store.journal.append(row.createdAtMs, {
    kind: 'action.requested',
    ...subjects,
    // In the order of canonical JSON, which the journal then need not make; so are the other events of an action.
    metadata: {
      by: row.grantId ?? row.planId ?? 'profile',
      digest: row.digest, // guard L1-1
      effectClass: row.effectClass,
      irreversible: admitted.assessment.isIrreversible,
      risk: row.risk.level,
      status,
      target: targetDigest(admitted.assessment.target),
      type: row.actionType,
      verdict,
      ...stepFacts(row),
    },
  });
  if (row.status === 'running') {
    const metadata = { attempt: row.attempt, status: row.status, ...stepFacts(row) };
    store.journal.append(row.createdAtMs, { kind: 'action.dispatched', ...subjects, metadata });
  }
  if (row.status === 'failed') {
    const metadata = { errorCode: row.error?.code ?? null, status: row.status, ...stepFacts(row) };
    store.journal.append(row.createdAtMs, { kind: 'action.undeliverable', ...subjects, metadata });
  }
  if (row.status === 'denied') {
    const metadata = { because: 'repeats a denial', status: row.status, ...stepFacts(row) };
    store.journal.append(row.createdAtMs, { kind: 'action.denied', ...subjects, metadata });
  }
}

/** A target that it names cannot be found: it fails without being judged further, and nobody is asked. */
function lossOf({ judgement, lost }: Admitted): ActionError | undefined {
  return judgement.verdict === 'block' ? undefined : lost;
}

function asJudged({ judgement: { verdict } }: Admitted) {
  return { verdict, status: initialState(verdict).status };
}

/** Tells targets apart without naming them: the target is content, and stays out of the journal. */
function targetDigest(target: string | null): string | null {
  return target === null ? null : hash('sha256', target.toLowerCase()).slice(0, 16);
}

function keepIdempotencyKey({ store }: Context, row: ActionRow, { submission, fingerprint }: Parts): void {
  const { idempotencyKey: key, userId } = submission;
  if (key === undefined || fingerprint === undefined) return;
  store.idempotencyKeys.insert({ userId, key, fingerprint, subjectId: row.id, createdAtMs: row.createdAtMs });
}

function newRow({ clock, newId }: Context, parts: Parts): ActionRow {
  const { submission, device, admitted } = parts;
  const { body, userId } = submission;
  const { definition, parameters } = admitted.checked;
  const { verdict, rule } = admitted.judgement;
  const createdAtMs = clock.nowMs();
  return {
    id: newId('act'),
    userId,
    deviceId: device.id,
    actionType: body.actionType,
    digest: admitted.digest,
    reason: body.reason,
    timeoutMs: body.timeoutMs ?? definition.usualTimeoutMs(parameters),
    risk: admitted.assessment.risk,
    effectClass: definition.effectClass,
    effect: 'none',
    artifactCount: 0,
    grantId: admitted.grantId,
    planId: admitted.planId,
    rule,
    createdAtMs,
    ...(verdict === 'ask' ? {} : { decidedAtMs: createdAtMs }),
    taskId: submission.step?.taskId,
    stepId: submission.step?.stepId,
    parameters,
    targets: admitted.targets.length === 0 ? undefined : admitted.targets,
    sentence: sentenceOf(admitted.assessment),
    done: admitted.assessment.done,
    ...beginning(parts, createdAtMs),
  };
}

type Beginning = Pick<ActionRow, 'status' | 'attempt' | 'details' | 'error' | 'startedAtMs' | 'finishedAtMs'>;

function beginning({ admitted, dispatchNow, turnWords, repeatsDenial }: Parts, atMs: number): Beginning {
  const { verdict, rule } = admitted.judgement;
  const error = lossOf(admitted);
  if (error !== undefined) return { status: 'failed', attempt: 0, details: error.message, error, finishedAtMs: atMs };
  switch (verdict) {
    case 'allow':
      return dispatchNow
        ? { status: 'running', attempt: 1, details: 'Running.', startedAtMs: atMs }
        : { status: 'queued', attempt: 0, details: turnWords };
    case 'ask': {
      const details = `Waiting for a person to allow it at the dashboard: ${admitted.sentenceForCaller()}.`;
      if (!repeatsDenial) return { status: 'awaiting_confirmation', attempt: 0, details };
      const denied =
        'The person denied this type of action on this target within the last ten minutes; nothing was done.';
      return { status: 'denied', attempt: 0, details: denied, finishedAtMs: atMs };
    }
    case 'block':
      return { status: 'blocked', attempt: 0, details: `Blocked. ${rule}`, finishedAtMs: atMs };
  }
}
