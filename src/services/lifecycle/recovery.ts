import { actionError, isTerminal } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { CallOffs } from '../actions/call-offs.ts';
import type { Execution } from '../actions/executions.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import { recordUnapprovedEnd } from '../confirmations/answer.ts';
import type { Context } from '../context.ts';
import type { Piece } from '../work/slices.ts';

/**
 * The pieces of work that end or continue the actions of an earlier run of the daemon. Approvals do not survive a restart:
 * an action that waited for a person, or was allowed and not sent, expires. One that the person had denied is denied. An action
 * that was sent becomes `unknown` if it must not be repeated; otherwise it has failed, and its caller may submit it again. A queued
 * action that needed no approval and is not too old runs, unless its cancellation was requested.
 */
export function* recoveries(context: Context, parts: Recovering): Generator<Piece> {
  const { store } = context;
  for (const id of store.actions.liveIds()) {
    yield () => {
      const row = store.actions.findById(id);
      if (row === undefined || isTerminal(row.status)) return;
      parts.live.keep(row);
      const isLeft = parts.callOffs.takeUp(row) || (parts.isStopped && row.status !== 'running');
      if (!isLeft) recoverOne(context, parts, row);
    };
  }
}

export type Recovering = {
  live: LiveActions;
  execution: Execution;
  /** Ends the actions that an earlier run called off. */
  callOffs: Pick<CallOffs, 'takeUp'>;
  /** The emergency stop survives the restart, and ends the actions that were not sent. */
  isStopped: boolean;
};

function recoverOne(context: Context, { live, execution }: Recovering, row: ActionRow): void {
  const { store, log } = context;
  const confirmation = store.confirmations.findByAction(row.id);
  const details = 'The daemon was restarted before this was answered or sent; nothing was done.';
  if (row.status === 'running') {
    live.change(row, lostByRestart(row));
  } else if (confirmation?.status === 'pending') {
    recordUnapprovedEnd(context, live, confirmation, { status: 'expired', details });
  } else if (
    confirmation !== undefined ||
    row.planId !== undefined ||
    row.cancelRequestedAtMs !== undefined ||
    (row.taskId === undefined && isTooOld(context, row))
  ) {
    live.change(row, { event: { kind: 'expired' }, patch: { details } });
  } else {
    execution.enqueue(row);
  }
  log.info({ actionId: row.id, was: row.status, is: live.get(row.id)?.status ?? 'ended' }, 'an action was recovered');
}

/** The caller of a standalone action is gone, and wanted it then; a task goes on whenever it can. */
function isTooOld({ clock }: Context, row: ActionRow): boolean {
  return clock.nowMs() - row.createdAtMs > row.timeoutMs;
}

function lostByRestart(row: ActionRow) {
  const message =
    row.effectClass === 'once'
      ? 'The daemon ended while this was running. It may have been done: look before you submit it again.'
      : 'The daemon ended while this was running. Submit it again; doing it twice is harmless.';
  return {
    event: { kind: 'lost', attempt: row.attempt, effectClass: row.effectClass },
    patch: {
      details: message,
      effect: row.effectClass === 'pure' ? 'none' : 'unverified',
      ...(row.effectClass === 'once' ? {} : { error: actionError('agent_unavailable', message) }),
    },
    metadata: { errorCode: 'agent_unavailable' },
  } as const;
}
