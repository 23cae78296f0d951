import type { Verdict } from '../../contract/action.ts';
import { initialState } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { ConfirmationRow } from '../../store/confirmations.ts';
import type { DeviceRow } from '../../store/devices.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Submission } from '../services.ts';
import type { Admitted } from './admission.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export type Created = { row: ActionRow; confirmation?: ConfirmationRow | undefined };

/**
 * Stores a judged submission with its journal events in one transaction: blocked, waiting for a person, queued, or, where
 * `dispatchNow` says that there is a place for it, already dispatched.
 */
export function createAction(
  context: Context,
  confirmations: Confirmations,
  parts: {
    submission: Submission;
    device: DeviceRow;
    admitted: Admitted;
    dispatchNow: boolean;
    fingerprint?: string | undefined;
  },
): Created {
  const { store } = context;
  const { submission, admitted } = parts;
  const row = newRow(context, parts);
  const durability = row.effectClass === 'pure' ? 'relaxed' : 'durable';
  return store.write(durability, () => {
    store.users.see(row.userId, row.createdAtMs);
    store.actions.insert(row);
    const subjects = { userId: row.userId, deviceId: row.deviceId, actionId: row.id };
    const { verdict } = admitted.judgement;
    store.journal.append(row.createdAtMs, {
      kind: 'action.requested',
      ...subjects,
      metadata: {
        type: row.actionType,
        risk: row.risk.level,
        effectClass: row.effectClass,
        verdict,
        digest: row.digest,
        status: initialState(verdict).status,
      },
    });
    if (row.status === 'running') {
      const metadata = { status: row.status, attempt: row.attempt };
      store.journal.append(row.createdAtMs, { kind: 'action.dispatched', ...subjects, metadata });
    }
    if (submission.idempotencyKey !== undefined && parts.fingerprint !== undefined) {
      const { idempotencyKey: key, userId } = submission;
      store.idempotencyKeys.insert({
        userId,
        key,
        fingerprint: parts.fingerprint,
        actionId: row.id,
        createdAtMs: row.createdAtMs,
      });
    }
    return { row, confirmation: row.status === 'awaiting_confirmation' ? confirmations.insert(row) : undefined };
  });
}

function newRow(
  { clock, newId }: Context,
  parts: { submission: Submission; device: DeviceRow; admitted: Admitted; dispatchNow: boolean },
): ActionRow {
  const { submission, device, admitted, dispatchNow } = parts;
  const { body, userId } = submission;
  const { verdict, rule } = admitted.judgement;
  const createdAtMs = clock.nowMs();
  const runsNow = verdict === 'allow' && dispatchNow;
  return {
    id: newId('act'),
    userId,
    deviceId: device.id,
    actionType: body.actionType,
    digest: admitted.digest,
    reason: body.reason,
    timeoutMs: body.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(runsNow
      ? { status: 'running', attempt: 1, startedAtMs: createdAtMs }
      : { ...initialState(verdict), attempt: 0 }),
    risk: admitted.assessment.risk,
    effectClass: admitted.definition.effectClass,
    effect: 'none',
    details: detailsAtFirst(verdict, { rule, sentence: admitted.assessment.sentence }),
    createdAtMs,
    ...(verdict === 'ask' ? {} : { decidedAtMs: createdAtMs }),
    ...(verdict === 'block' ? { finishedAtMs: createdAtMs } : {}),
    parameters: body.parameters,
  };
}

function detailsAtFirst(verdict: Verdict, { rule, sentence }: { rule: string; sentence: string }): string {
  switch (verdict) {
    case 'allow':
      return 'Waiting for its turn.';
    case 'ask':
      return `Waiting for a person to allow it at the dashboard: ${sentence}.`;
    case 'block':
      return `Blocked. ${rule}`;
  }
}
