import type { AllowedFolder } from '../../contract/files.ts';
import type { CancelReason } from '../../contract/link.ts';
import type { DashboardProgram } from '../../contract/own-window.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isInput } from '../../domain/catalogue.ts';
import { isAppOf, isInDashboard } from '../../domain/dashboard-apps.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Allowance, CallOff, LostFolders, PreparedCallOff } from '../call-off.ts';
import type { Context } from '../context.ts';
import { untilStored } from '../work/storage-failure.ts';
import { type CancelledBy, journalRequest, withdrawal } from './cancellation.ts';
import { assessRow, createSlicedEnds, type LiveActions } from './live-actions.ts';

const STORED = 'callOffs';

/** `upToId`: the latest action that it concerns. Later actions were judged after the change. */
type StoredCallOff = CallOff & { upToId: string };

export type CallOffs = ReturnType<typeof createCallOffs>;

/** Called with running actions that are called off, for the agent to be told. */
type StopObserver = (running: readonly ActionRow[], reason: CancelReason) => void;

const EVERYBODY = '*';

const DASHBOARD_OPENED =
  'The person opened their dashboard in this program before it was sent, so it can be no target any longer; nothing was done.';

const DETAILS = {
  requester_paused: 'Requests of this user were paused before it was sent; nothing was done.',
  grant_revoked: 'The grant that allowed it was revoked before it was sent; nothing was done.',
  rules_changed: 'The rules changed before it was sent; nothing was done. Submit it again.',
  folders_lost: 'The rules changed before it was sent; nothing was done. Submit it again.',
  dashboard_opened: DASHBOARD_OPENED,
};

const PROMPT_WITHDRAWN =
  'The person took back a folder that this action needs, so its prompt was withdrawn; nothing was done. If you submit it again, it is of high risk and needs a new approval.';

/** The reasons that also end actions that wait for the person or run. */
const WITHDRAWN: Partial<Record<CallOff['because'], string>> = {
  folders_lost: PROMPT_WITHDRAWN,
  dashboard_opened: DASHBOARD_OPENED,
};

/** The reason that the agent is told for an action that runs. */
const STOP_REASONS = {
  device_removed: 'device_removed',
  requester_paused: 'requested',
  grant_revoked: 'requested',
  rules_changed: 'requested',
  folders_lost: 'requested',
  dashboard_opened: 'requested',
} as const satisfies Record<CallOff['because'], CancelReason>;

/** Whether it concerns an action as it is now. */
function isMeant(callOff: CallOff, row: ActionRow): boolean {
  switch (callOff.because) {
    case 'device_removed':
      return row.deviceId === callOff.deviceId;
    case 'requester_paused':
      return row.status === 'queued' && row.userId === callOff.userId;
    case 'grant_revoked':
      return row.status === 'queued' && row.grantId === callOff.grantId;
    case 'rules_changed':
      return row.status === 'queued';
    case 'folders_lost':
      return row.status === 'queued' || needsLostFolder(callOff, row); // guard X15-1
    case 'dashboard_opened':
      return isOutOfBounds(callOff.program, row);
  }
}

/** Input to the program that holds the dashboard now, and a wish for access to it. */
function isOutOfBounds(program: DashboardProgram, { actionType, targets = [] }: ActionRow): boolean {
  if (isInput(actionType)) return targets.some((target) => isInDashboard(target, program)); // guard A20-4
  if (actionType !== requestAccess.name || program.isOwnWindow === true) return false;
  return targets.some((target) => target.kind === 'app' && isAppOf(target.app, program.names));
}

type Ending = { callOff: CallOff; row: ActionRow };

/**
 * Records the end of an action that was called off, or the wish to end it if it runs; only inside a write transaction. The caller
 * calls the answer once the transaction is stored.
 */
function stageEnd(context: Context, live: LiveActions, { callOff, row }: Ending) {
  if (callOff.because === 'device_removed') return stageCancel(context, live, { row, by: 'requester' });
  const withdrawn = WITHDRAWN[callOff.because];
  if (row.status === 'running' && withdrawn) return stageCancel(context, live, { row, by: 'person' });
  if (row.status === 'awaiting_confirmation' && withdrawn) return live.stage(row, withdrawal(context, row, withdrawn));
  if (row.status !== 'queued') return undefined;
  return live.stage(row, { event: { kind: 'withdrawn' }, patch: { details: DETAILS[callOff.because] } });
}

type Cancelling = { row: ActionRow; by?: CancelledBy };

/**
 * Records the wish to cancel an action, and its end if it does not run; only inside a write transaction. The caller calls the answer
 * once the transaction is stored, and then tells the agent to stop what runs.
 */
export function stageCancel(context: Context, live: LiveActions, { row, by }: Cancelling) {
  const { store, clock } = context;
  const atMs = clock.nowMs();
  const isNew = row.cancelRequestedAtMs === undefined;
  const asked: ActionRow = { ...row, cancelRequestedAtMs: row.cancelRequestedAtMs ?? atMs };
  if (isNew) journalRequest(store, row, { by, atMs });
  if (row.status !== 'running') return live.stage(asked, withdrawal(context, row));
  if (isNew) store.actions.update(row, asked);
  return () => live.keep(asked);
}

/** Whether an action that waits needs a folder that is no longer allowed: one of its paths is outside of them only now. */
function needsLostFolder({ before, after }: LostFolders, row: ActionRow): boolean {
  if (filesIn(row.targets).length === 0) return false;
  const own = (folders: readonly Allowance[]) =>
    folders.filter(({ userId }) => userId === row.userId || userId === EVERYBODY);
  const [former, now] = [outsideOf(row, own(before)), outsideOf(row, own(after))];
  return now.some((path) => !former.includes(path));
}

function outsideOf(row: ActionRow, folders: readonly AllowedFolder[]): readonly string[] {
  return assessRow(row, { folders })?.outside ?? [];
}

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
          if (rows.length > 0) store.settings.set(STORED, next); // guard A12-4
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
