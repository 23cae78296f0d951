import { actionError } from '../../domain/action-error.ts';
import type { Context } from '../context.ts';
import type { Change, LiveActions } from './live-actions.ts';
import { createSlicedBatches } from './sliced-batches.ts';

const AGAIN =
  'Submit it again once GET /health says that the agent is online; while it says offline, the person has to start the agent again at the dashboard first.';

/** Ends actions for which no agent came in time. There may be thousands, so their ends are recorded in slices. */
export function createUndeliverable(context: Context, live: LiveActions): (ids: readonly string[]) => void {
  return createSlicedBatches<string>(context, {
    stage(id, staged) {
      const row = live.get(id);
      return row?.status === 'queued' ? live.stage(row, undeliverable(), staged) : undefined;
    },
    done: () => undefined,
    failed: (error) => context.log.error({ err: error }, 'actions without an agent are not recorded as ended yet'),
  });
}

function undeliverable(): Change {
  const message = 'The device agent did not come online in time; nothing was done.';
  return {
    event: { kind: 'undeliverable' },
    patch: { details: message, error: actionError('agent_unavailable', message, AGAIN) },
    metadata: { errorCode: 'agent_unavailable' },
  };
}
