import { actionError, isTerminal } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Actions, createActionService } from '../actions/actions.ts';
import { type CallOffs, stageCancel } from '../actions/call-offs.ts';
import type { Execution } from '../actions/execution.ts';
import { createSlicedEnds, type LiveActions } from '../actions/live-actions.ts';
import { recordUnapprovedEnd } from '../confirmations/answer.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import { createEmergencyStop, type EmergencyStop } from './emergency-stop.ts';
import { createScreenLock, type ScreenChange } from './screen-lock.ts';
import type { Standstill } from './standstill.ts';
import { createStorageWatch } from './storage-watch.ts';

const STOP = { reason: 'emergency_stop', by: 'person' } as const;

type LifecycleParts = {
  live: LiveActions;
  execution: Execution;
  confirmations: Confirmations;
  callOffs: CallOffs;
  actions: Actions;
  tasks: Tasks;
  standstill: Standstill;
};

/** How long recording the ends, and running work, may take when the daemon stops. */
const DRAIN_MS = 8_000;
const UNANSWERED = 'The daemon was stopped before a person answered; nothing was done.';

const STOPPING: Refusal = {
  refused: 'paused',
  detail: 'The daemon is stopping. Try again once it has been started again.',
};

type Parts = {
  live: LiveActions;
  execution: Pick<Execution, 'stop'>;
  confirmations: Pick<Confirmations, 'endings'>;
};

/**
 * Ends the unfinished work when the daemon stops. The agent is told to stop running actions, prompts expire, and unsent actions are
 * cancelled. There may be hundreds, so their ends are recorded in slices. The next start ends the rest.
 */
function createShutdown(context: Context, { live, execution, confirmations }: Parts) {
  const { clock, log } = context;
  let hasBegun = false;
  let isOver = false;

  const failed = (error: unknown) =>
    log.error({ err: error }, 'not everything could be recorded as ended; it is tried again');

  /** Tells the agent to stop what runs. A requester that cancelled an action has told it already. */
  function stop({ id, status, cancelRequestedAtMs }: ActionRow): void {
    const asked = live.get(id);
    if (status === 'running' && cancelRequestedAtMs === undefined && asked !== undefined)
      execution.stop(asked, 'shutdown');
  }

  /** Resolves when the cancellation of these actions is stored. An action that was not sent has ended then. */
  function cancelled(ids: readonly string[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = createSlicedEnds(context, {
      stage(id) {
        const row = isOver ? undefined : live.get(id);
        const takeIn = row && stageCancel(context, live, { row });
        return () => {
          takeIn?.();
          if (row !== undefined) stop(row);
        };
      },
      done: resolve,
      failed,
    });
    start(ids);
    return promise;
  }

  function expired(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slices = createSlices(context, { done: resolve, failed });
    const pieces = Iterator.from(confirmations.endings({ status: 'expired', details: UNANSWERED }));
    slices.begin(pieces.map((piece) => () => (isOver ? undefined : piece())));
    return promise;
  }

  async function everythingEnded(): Promise<void> {
    const running = live.all().filter(({ status }) => status === 'running');
    const ends = running.map(({ id }) => new Promise<void>((resolve) => void live.whenEnded(id, () => resolve())));
    await cancelled(running.map(({ id }) => id));
    await expired();
    await cancelled(live.all().flatMap(({ id, status }) => (status === 'running' ? [] : [id])));
    await Promise.all(ends);
  }

  return {
    refusal: (): Refusal | undefined => (hasBegun ? STOPPING : undefined),
    /** Resolves when all of it has ended, or the time for that is over. From the call on nothing is taken and nothing is sent. */
    async end(): Promise<void> {
      hasBegun = true;
      const patience = Promise.withResolvers<void>();
      const stop = clock.after(DRAIN_MS, patience.resolve);
      await Promise.race([everythingEnded(), patience.promise]);
      isOver = true;
      stop();
    },
  };
}

/**
 * The pieces of work that end or continue the actions of an earlier run of the daemon. Approvals do not survive a restart:
 * an action that waited for a person, or was allowed and not sent, expires. One that the person had denied is denied. An action
 * that was sent becomes `unknown` if it must not be repeated; otherwise it has failed, and its caller may submit it again. A queued
 * action that needed no approval and is not too old runs, unless its cancellation was requested.
 */
function* recoveries(context: Context, parts: Recovering): Generator<Piece> {
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

type Recovering = {
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

type StartUpParts = Pick<Recovering, 'live' | 'callOffs'> & {
  live: LiveActions;
  execution: Execution;
  confirmations: Pick<Confirmations, 'plans'>;
  tasks: { load(): Iterable<Piece>; goOn(): void };
  emergency: Pick<EmergencyStop, 'isPaused' | 'carryOut'>;
  callOffs: { carryOut(): void };
  screen: { changed(now: ScreenChange): void };
};

const STARTING: Refusal = {
  refused: 'paused',
  detail: 'The daemon is starting and takes up the work of its last run. Try again in some seconds.',
};

/**
 * Loads the unfinished work of the run before, up to ten thousand steps, in slices. The daemon takes no new work, sends nothing
 * and begins nothing until all of it is loaded.
 */
function createStartUp(context: Context, parts: StartUpParts) {
  const { log } = context;
  const loaded = Promise.withResolvers<void>();
  const screenChanges: ScreenChange[] = [];
  let isLoading = false;
  let isEnding = false;
  const slices = createSlices(context, { done, failed });

  function failed(error: unknown): void {
    log.error({ err: error }, 'the work of the last run could not be taken up yet; it is tried again');
  }

  function* pieces(): Generator<Piece> {
    const { tasks, confirmations, emergency, ...others } = parts;
    const isStopped = emergency.isPaused();
    const all = [() => tasks.load(), ...(isStopped ? [] : [confirmations.plans.endOfRun])]; // guard A6-7
    for (const each of [...all, () => recoveries(context, { ...others, isStopped })]) {
      for (const piece of each()) {
        if (isEnding) return;
        yield () => isEnding || piece();
      }
    }
  }

  function done(): void {
    isLoading = false;
    if (!isEnding) goOn();
    loaded.resolve();
  }

  function goOn(): void {
    const { screen, callOffs, emergency, execution, tasks } = parts;
    for (const now of screenChanges.splice(0)) screen.changed(now);
    callOffs.carryOut();
    emergency.carryOut();
    execution.lookAgain();
    tasks.goOn();
  }

  return {
    /** Resolves when all of it is loaded. Throws when the storage refuses the first slice. */
    begin(): Promise<void> {
      isLoading = true;
      slices.start(pieces());
      return loaded.promise;
    },
    refusal: (): Refusal | undefined => (isLoading ? STARTING : undefined),
    /** A change of the screen concerns all work, so it waits until all work is loaded. */
    screen(now: ScreenChange): void {
      if (isLoading) screenChanges.push(now);
      else parts.screen.changed(now);
    },
    /** Stops loading. The next start loads the rest. */
    end(): void {
      isEnding = true;
    },
  };
}

/** Start, shutdown, stop and locked screen: they hold everything, and act on all that is under way. */
export function createLifecycle(context: Context, { callOffs, standstill, ...parts }: LifecycleParts) {
  const { live, execution, confirmations, tasks } = parts;
  const stops = createStops(context, parts);
  const shutdown = createShutdown(context, parts);
  const startUp = createStartUp(context, { live, callOffs, execution, confirmations, tasks, ...stops });
  const storageWatch = createStorageWatch(context, { stop: stops.emergency });
  const refusals = [shutdown.refusal, startUp.refusal, storageWatch.refusal, stops.refusal];
  standstill.heldBy({ refusals, heldUntilMs: stops.screen.heldUntilMs });
  callOffs.observedBy((running, reason) => {
    for (const row of running) execution.stop(row, reason);
  });
  return { startUp, shutdown, storageWatch, stop: stops.emergency, screen: stops.screen };
}

type StopParts = {
  live: LiveActions;
  execution: Execution;
  confirmations: Confirmations;
  actions: ReturnType<typeof createActionService>;
  tasks: Tasks;
};

/** The two states that hold everything: the emergency stop, and a locked screen or suspended computer. */
function createStops(context: Context, { live, execution, confirmations, actions, tasks }: StopParts) {
  /** A denial of the person stays one. Tasks go first, so that each ends as stopped by the person. */
  function* endings(): Generator<Piece> {
    yield* confirmations.denialEndings();
    yield* tasks.cancellations(STOP);
    for (const { id } of live.all()) yield () => withRow(id, (row) => actions.cancel(row, STOP));
  }

  function withRow(id: string, work: (row: ActionRow) => void): void {
    const row = live.get(id);
    if (row !== undefined) work(row);
  }

  const emergency = createEmergencyStop(context, {
    live,
    tell: (row) => execution.stop(row, 'emergency_stop'),
    endings,
  });
  const screen = createScreenLock(context, {
    live,
    endings: (details) => confirmations.endings({ status: 'expired', details }),
    goOn() {
      execution.lookAgain();
      tasks.goOn();
    },
  });
  return { emergency, screen, refusal: (): Refusal | undefined => emergency.refusal() ?? screen.refusal() };
}
