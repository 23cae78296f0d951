import type { Capabilities } from '../../contract/device.ts';
import type { PerformParams } from '../../contract/link.ts';
import type { ActionRow } from '../../store/actions.ts';
import { actionError } from '../action-error.ts';
import type { Context } from '../context.ts';
import type { LiveActions } from './live-actions.ts';

/**
 * How long an approved action may wait until it is sent. The person decided by what was on the screen then, and a requester that
 * fills the places of actions must not be able to choose a later moment.
 */
export const ALLOWED_LASTS_MS = 2 * 60_000;

/** What let an action through has ended before it was sent. */
export class NoLiveApproval extends Error {
  override name = 'NoLiveApproval';
}

/** Records that an attempt is about to be sent, and spends its approval in the same transaction. */
export function recordDispatch(context: Context, live: LiveActions, row: ActionRow): ActionRow | undefined {
  const attempt = row.attempt + 1;
  return live.change(row, {
    event: { kind: 'dispatched', attempt },
    patch: { startedAtMs: context.clock.nowMs(), details: 'Running.' },
    metadata: { attempt },
    also: (atMs) => consumeApproval(context, row, atMs),
  });
}

/** Whether something other than a prompt of its own or the rules alone lets it through. */
export function isApproved({ grantId, planId }: ActionRow): boolean {
  return grantId !== undefined || planId !== undefined;
}

export function consumeApproval({ store }: Context, row: ActionRow, atMs: number): void {
  if (row.grantId !== undefined) {
    if (!store.grants.use(row.grantId, atMs))
      throw new NoLiveApproval(`the grant of action ${row.id} is not live any more`);
    return;
  }
  if (row.planId !== undefined) {
    consumeStep(store, row, { planId: row.planId, atMs });
    return;
  }
  const approval = store.confirmations.findByAction(row.id);
  if (approval === undefined) return;
  const isFresh = approval.decidedAtMs !== undefined && atMs - approval.decidedAtMs < ALLOWED_LASTS_MS;
  if (!isFresh || approval.actionDigest !== row.digest || !store.confirmations.consume(approval.id, atMs)) {
    throw new NoLiveApproval(`action ${row.id} has no live approval for what it would do`);
  }
}

/** The answer to a plan is spent step by step; what is harmless to do twice may be tried again on it. */
function consumeStep(
  { confirmations }: Context['store'],
  { id: actionId, stepId = '', digest, effectClass }: ActionRow,
  spent: { planId: string; atMs: number },
): void {
  const mayRepeat = effectClass !== 'once';
  if (!confirmations.consumeStep({ ...spent, stepId, actionId, digest, mayRepeat }))
    throw new NoLiveApproval(`the plan of action ${actionId} does not let it through any more`);
}

/** The frame's parameters for an attempt whose dispatch is recorded. */
export function performParams(
  row: ActionRow,
  { capabilities, unjudgedApps }: { capabilities: Capabilities; unjudgedApps: string[] },
): PerformParams {
  return {
    actionId: row.id,
    attempt: row.attempt,
    actionType: row.actionType,
    parameters: row.parameters ?? {},
    capabilities,
    effectClass: row.effectClass,
    deadlineMs: row.timeoutMs,
    digest: row.digest,
    riskLevel: row.risk.level,
    ...(row.window === undefined ? {} : { window: row.window }),
    ...(unjudgedApps.length === 0 ? {} : { unjudgedApps }),
  };
}

const AGAIN =
  'Submit it again once GET /health says that the agent is online; while it says offline, the person has to start the agent again at the dashboard first.';

/** Ends an action that could not be sent. */
export function recordUndeliverable(live: LiveActions, row: ActionRow): void {
  const message = 'The device agent did not come online in time; nothing was done.';
  live.change(row, {
    event: { kind: 'undeliverable' },
    patch: {
      details: message,
      error: actionError('agent_unavailable', message, AGAIN),
    },
    metadata: { errorCode: 'agent_unavailable' },
  });
}

/** Ends an action that may not be sent any more. */
export function recordUnapproved(live: LiveActions, row: ActionRow): void {
  live.change(row, {
    event: { kind: 'expired' },
    patch: { details: 'What allowed it had ended before it could be sent; nothing was done. Submit it again.' },
  });
}
