import type { CancelReason } from '../../contract/link.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { CallOff, PreparedCallOff } from '../call-off.ts';
import type { Context } from '../context.ts';
import { untilStored } from '../work/storage-failure.ts';
import { isMeant, STOP_REASONS, stageEnd } from './called-off.ts';
import type { LiveActions } from './live-actions.ts';
import { createSlicedEnds } from './sliced-ends.ts';

const STORED = 'callOffs';

/** `upToId`: the latest action that it concerns. Later actions were judged after the change. */
type StoredCallOff = CallOff & { upToId: string };

export type CallOffs = ReturnType<typeof createCallOffs>;

/** Called with running actions that are called off, for the agent to be told. */
type StopObserver = (running: readonly ActionRow[], reason: CancelReason) => void;

/**
 * Calls actions off because the grant, rule, folder or device that let them through is gone, or their requester is paused. Once the reason
 * is stored, none of them is sent or can be allowed. There may be hundreds, so their records end in slices. After a restart in the middle the next run goes on with it.
 */
export function createCallOffs(context: Context, { live }: { live: LiveActions }) {
  const { store, log } = context;
  let stopRunning: StopObserver = () => undefined;
  const becauseOf = new Map<string, CallOff>();
  let stored = (store.settings.get(STORED) ?? []) as StoredCallOff[];
  /** The reason is stored before, so a caller is not told of a failure: it is tried again. */
  const end = createSlicedEnds(context, {
    stage(id) {
      const callOff = becauseOf.get(id);
      const row = live.get(id);
      return callOff && row && stageEnd(context, live, { callOff, row });
    },
    done: forget,
    failed,
  });

  function forget(): void {
    becauseOf.clear();
    if (stored.length === 0) return;
    stored = [];
    untilStored(context, () => store.write('relaxed', () => store.settings.set(STORED, stored)));
  }

  function failed(error: unknown): void {
    log.error({ err: error }, 'actions that were called off are not sent, but could not be recorded as ended yet');
  }

  function tellRunning(rows: readonly ActionRow[], { because }: CallOff): void {
    const running = rows.filter(({ status, cancelRequestedAtMs }) => status === 'running' && !cancelRequestedAtMs);
    if (running.length > 0) stopRunning(running, STOP_REASONS[because]);
  }

  return {
    /** Lets one other part of the services tell the agent which running actions to stop. */
    observedBy(observer: StopObserver): void {
      stopRunning = observer;
    },
    /** Whether an action may no longer be sent or allowed, although its record has not ended yet. */
    isCalledOff: (id: string): boolean => becauseOf.has(id),
    /** Chooses the actions of now. `note` belongs into the transaction that stores the reason, `begin` comes after it. */
    prepare(callOff: CallOff): PreparedCallOff {
      const rows = live.all().filter((row) => isMeant(callOff, row) && !becauseOf.has(row.id));
      const upToId =
        rows
          .map(({ id }) => id)
          .toSorted()
          .at(-1) ?? '';
      const next = [...stored, { ...callOff, upToId }];
      return {
        count: rows.length,
        note(): void {
          if (rows.length > 0) store.settings.set(STORED, next);
        },
        begin(): void {
          if (rows.length === 0) return;
          stored = next;
          for (const { id } of rows) becauseOf.set(id, callOff);
          tellRunning(rows, callOff);
          end(rows.map(({ id }) => id));
        },
      };
    },
    /** Takes up an action that an earlier run called off and left; false where it did not. */
    takeUp(row: ActionRow): boolean {
      const callOff = stored.find((each) => row.id <= each.upToId && isMeant(each, row));
      if (callOff === undefined || row.status !== 'queued') return false;
      becauseOf.set(row.id, callOff);
      return true;
    },
    /** Ends what was taken up. */
    carryOut(): void {
      if (stored.length > 0) end([...becauseOf.keys()]);
    },
  };
}
