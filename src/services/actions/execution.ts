import type { CancelReason } from '../../contract/link.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isCapture, isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { AttemptKey, AttemptOutcome } from '../agent/port.ts';
import type { Clock, Context } from '../context.ts';
import type { MachineAgents } from '../machines/agents.ts';
import { STORAGE_RETRY_MS, untilStored } from '../work/storage-failure.ts';
import { type Candidate, createDispatchQueue, type DispatchQueueParts } from './dispatch-queue.ts';
import { createAfterPictures } from './evidence.ts';
import { createOutcomeRecorder } from './outcome-recorder.ts';

/** How long after its own deadline an agent that says nothing is waited for. */
export const OVERDUE_MS = 2_000;
/** How long a cancelled action may take to report what it had done. */
export const CANCEL_GRACE_MS = 7_500;

/** The actions on one machine. */
type MachineExecution = ReturnType<typeof createExecution>;

type ExecutionParts = Omit<DispatchQueueParts, 'sent'> & {
  /** A grant is stored. */
  granted(): void;
  /** An action that shows contents begins or ends. */
  looked(row: ActionRow): void;
  /** The agent's result of an action. */
  described(data: unknown): void;
};

/** Sees every dispatched action to its end: the agent's report, its silence, or its loss. */
function createExecution(context: Context, parts: ExecutionParts) {
  const { clock, log } = context;
  const { agent, live } = parts;
  const { port } = agent;
  const pictures = createAfterPictures(clock, agent);
  const recorder = createOutcomeRecorder(context, {
    live,
    pictureAfter: async (row) => (parts.keepsEvidence() ? pictures.after(row) : []),
  });
  const queue = createDispatchQueue(context, {
    ...parts,
    sent(row) {
      noteLook(row);
      if (row.effectClass !== 'pure') pictures.endLooks();
      input.began(row);
      slots.watch(row.id, row.timeoutMs + OVERDUE_MS, () => stop(row, 'timeout'));
    },
  });
  const input = createInputWatch(clock, { ended: () => parts.handsOff().inputEnded() });
  const { slots } = queue;
  /**
   * Actions whose outcome was reported but is not stored yet. Neither a timeout nor the loss of the agent changes that
   * outcome.
   */
  const reported = new Set<string>();

  /** The screen is looked at some time between the two. */
  function noteLook(row: ActionRow): void {
    // An action of another version of Handrail may not be assessed.
    const { showsContents = false } = live.assessmentOf(row) ?? { showsContents: isCapture(row.actionType) };
    if (showsContents) parts.looked(row);
  }

  function stop(row: ActionRow, reason: CancelReason): void {
    if (!reported.has(row.id)) slots.watch(row.id, CANCEL_GRACE_MS, () => giveUp(row.id, recorder.silent));
    port.cancel({ actionId: row.id, attempt: row.attempt }, reason);
  }

  /** Ends an action whose outcome will never be reported. */
  function giveUp(id: string, record: (row: ActionRow, durationMs: number | undefined) => void): void {
    const durationMs = slots.ageMs(id);
    untilStored(context, () => {
      const row = live.get(id);
      if (row?.status === 'running' && !reported.has(id)) {
        record(row, durationMs);
      }
      if (!reported.has(id)) release(id);
    });
  }

  function release(id: string): void {
    slots.release(id);
    queue.pump();
  }

  async function record(key: AttemptKey, row: ActionRow, outcome: AttemptOutcome): Promise<void> {
    try {
      await recorder.record(row, outcome, slots.ageMs(row.id));
      reported.delete(key.actionId);
      port.acknowledge(key);
      release(key.actionId);
      if (row.actionType === requestAccess.name) parts.granted();
    } catch (error) {
      log.error({ err: error, actionId: row.id }, 'an outcome could not be recorded; it is kept and tried again');
      clock.after(STORAGE_RETRY_MS, () => void record(key, row, outcome));
    }
  }

  return {
    /** Whether an action of this kind would be sent at once. */
    isFree: queue.isFree,
    /** Sends an action whose dispatch is already recorded. */
    send: queue.send,
    /** Runs a queued action as soon as there is a place for it. */
    enqueue: queue.enqueue,
    /** Looks again whether something can be sent: the agent came, or went. */
    agentChanged: queue.pump,
    /** Asks the agent to stop; its report decides how the action ends, or 7.5 s of silence do. */
    stop,
    /** Records the outcome that the agent reported; false when none was expected. */
    finish(key: AttemptKey, outcome: AttemptOutcome): boolean {
      input.reported(key.actionId);
      const row = live.get(key.actionId);
      // Another machine's agent knows nothing of it.
      const isOwn = slots.ageMs(key.actionId) !== undefined; // guard A31-1
      const expected = isOwn && row?.status === 'running' && row.attempt === key.attempt && !reported.has(row.id);
      if (row === undefined || !expected) return false;
      reported.add(row.id);
      noteLook(row); // guard A26-2
      slots.unwatch(row.id);
      if (!outcome.ok && outcome.code === 'target_changed') agent.targets.forget(); // guard E2-20
      if (outcome.ok && isCapture(row.actionType)) parts.described(outcome.data);
      void record(key, row, outcome);
      return true;
    },
    /** Ends everything the agent had in hand: no word of it will come. */
    lose(): void {
      pictures.endLooks();
      input.agentGone();
      for (const id of slots.ids().filter((each) => !reported.has(each))) giveUp(id, recorder.lost);
    },
    /** Since when no input runs, in epoch ms: infinite while some may run. */
    inputEndedAtMs: input.endedAtMs,
    turnWords: queue.turnWords,
    runningCount: slots.count,
  };
}

/**
 * The input that may still be under way, and when the last of it ended. A prompt can only be allowed by a hand that is not ours, so an
 * agent that was given up counts as still typing until it reports or is gone.
 */
function createInputWatch(clock: Pick<Clock, 'nowMs'>, { ended }: { ended(): void }) {
  const underWay = new Set<string>();
  let endedAtMs = Number.NEGATIVE_INFINITY;

  function noteEnd(): void {
    if (underWay.size === 0) endedAtMs = clock.nowMs();
    ended();
  }

  return {
    began({ id, actionType }: ActionRow): void {
      if (isInput(actionType)) underWay.add(id);
    },
    /** The agent reported the end of an attempt. */
    reported(id: string): void {
      if (underWay.delete(id)) noteEnd();
    },
    /** The agent is gone, and with it everything it had in hand. */
    agentGone(): void {
      const wasUnderWay = underWay.size > 0;
      underWay.clear();
      if (wasUnderWay) noteEnd();
    },
    /** Since when no input runs, in epoch ms: infinite while some may run. */
    endedAtMs: (): number => (underWay.size > 0 ? Number.POSITIVE_INFINITY : endedAtMs),
  };
}

export type Execution = ReturnType<typeof createExecutions>;

type Parts = Omit<ExecutionParts, 'agent'> & { agents: MachineAgents };

/** Carries out actions on every machine. Each has its own queue and its own places. */
export function createExecutions(context: Context, { agents, ...parts }: Parts) {
  const made = new Map<string, MachineExecution>();

  function on(machine: string): MachineExecution {
    const known = made.get(machine);
    if (known !== undefined) return known;
    // The programs that show the dashboard are known by their processes on this machine, and the person is told of its apps alone.
    const elsewhere = machine === LOCAL ? {} : { dashboards: () => undefined, described: () => undefined };
    const execution = createExecution(context, { ...parts, ...elsewhere, agent: agents.on(machine) });
    made.set(machine, execution);
    return execution;
  }

  const of = ({ deviceId }: Pick<ActionRow, 'deviceId'>) => on(context.store.devices.machineOf(deviceId));

  return {
    on,
    /** Whether an action of this kind would be sent at once. */
    isFree: (candidate: Candidate): boolean => of(candidate).isFree(candidate),
    /** Sends an action whose dispatch is already recorded. */
    send: (row: ActionRow): void => of(row).send(row),
    /** Runs a queued action as soon as there is a place for it. */
    enqueue: (row: ActionRow, readySinceMs?: number): void => of(row).enqueue(row, readySinceMs),
    /** Looks again whether something can be sent, on any machine. */
    lookAgain(): void {
      for (const execution of made.values()) execution.agentChanged();
    },
    /** Asks the agent to stop; its report decides how the action ends, or 7.5 s of silence do. */
    stop: (row: ActionRow, reason: Parameters<MachineExecution['stop']>[1]): void => of(row).stop(row, reason),
    turnWords: (candidate: Candidate): string => of(candidate).turnWords(candidate),
    /** Since when no input runs on the machine of the person's prompts, in epoch ms: infinite while some may run. */
    inputEndedAtMs: (): number => on(LOCAL).inputEndedAtMs(),
    /** How many actions are under way, by machine. */
    running: (): ReadonlyMap<string, number> =>
      new Map([...made].map(([machine, execution]) => [machine, execution.runningCount()])),
  };
}
