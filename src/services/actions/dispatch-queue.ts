import type { Capabilities } from '../../contract/device.ts';
import type { PerformParams } from '../../contract/link.ts';
import { actionError } from '../../domain/action-state.ts';
import { takeScreenshot } from '../../domain/catalogue/screen.ts';
import { isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import { AGENT_PATIENCE_MS } from '../agent/questions.ts';
import type { Context } from '../context.ts';
import type { MachineAgent } from '../machines/agents.ts';
import { limitFor } from '../requesters/requesters.ts';
import { isStorageFailure, STORAGE_RETRY_MS, untilStored } from '../work/storage-failure.ts';
import { createTargetParams, NoLiveApproval, performParams, recordDispatch, recordUnapproved } from './dispatch.ts';
import { evidenceParams } from './evidence.ts';
import { type Change, createSlicedEnds, type LiveActions } from './live-actions.ts';
import { createSlots, createWaiting, type Lane, laneOf, type Slots } from './waiting.ts';

const AGAIN =
  'Submit it again once GET /health says that the agent is online; while it says offline, the person has to start the agent again at the dashboard first.';

const AFTER_THE_PROMPT = 'Waiting until the person has answered the prompt that is shown: no input runs meanwhile.';

/** Actions under way at once, in each lane. */
export const PLACES = 16;

export type DispatchQueueParts = {
  agent: MachineAgent;
  live: LiveActions;
  capabilitiesOf(row: ActionRow): Capabilities;
  /** Whether the person wants pictures from before and after an input. */
  keepsEvidence(): boolean;
  /** The programs that show a signed-in dashboard. */
  dashboards(): PerformParams['dashboards'];
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
  /** Whether the approval or rule that allowed an action has ended, although its record has not ended yet. */
  isCalledOff(id: string): boolean;
  /** Whether the person has stopped everything. */
  isStopped(): boolean;
  /** The end of the last time in which nobody could sit at the computer; infinite during such a time. Epoch ms. */
  heldUntilMs(): number;
  /** Keeps input away from the prompts that are shown. */
  handsOff(): { isShown(): boolean; inputEnded(): void };
  /** An attempt was sent. */
  sent(row: ActionRow): void;
};

/** The facts by which an action finds a place. */
export type Candidate = Pick<ActionRow, 'actionType' | 'effectClass' | 'userId' | 'deviceId'>;

/**
 * Sends actions to the agent: allowed actions first, then users by turns, and the actions of a user in the order in which they
 * came. The dispatch is recorded before it is sent. At most 16 run at once in each lane, and four more of known requesters. The
 * requester of an allowed action is known by that.
 */
export function createDispatchQueue(context: Context, parts: DispatchQueueParts) {
  const { clock, log } = context;
  const { agent, live } = parts;
  const { port } = agent;
  const [slots, targetParams] = [createSlots(clock), createTargetParams(context)];
  const waiting = createWaiting(context, { ...parts, overdue: endUnapproved });
  const endUndeliverable = createUndeliverable(context, live);
  const { mayRun, turnWords } = createSharedHands({ ...parts, slots });
  let stopPatience: (() => void) | undefined;

  function isFree({ actionType, effectClass, userId }: Omit<Candidate, 'deviceId'>): boolean {
    if (parts.isStopped() || port.status() !== 'online') return false;
    const taken = slots.countIn(laneOf(actionType));
    if (taken >= PLACES && taken >= limitFor(parts.isKnown(userId), PLACES)) return false;
    return mayRun({ actionType, effectClass });
  }

  function send(row: ActionRow): void {
    slots.take(row.id, laneOf(row.actionType));
    parts.sent(row);
    const targets = targetParams(row, live.assessmentOf(row));
    const evidence = parts.keepsEvidence() ? evidenceParams(row, agent.displays()) : {};
    const dashboards = row.actionType === takeScreenshot.name ? parts.dashboards() : undefined;
    const hidden = dashboards === undefined ? {} : { dashboards };
    port.perform(performParams(row, { capabilities: parts.capabilitiesOf(row), ...targets, ...evidence, ...hidden }));
  }

  function start(row: ActionRow): void {
    const { isOverdue, readySinceMs } = waiting.serve(row.id);
    try {
      if (isOverdue) throw new NoLiveApproval(`the turn of the allowed action ${row.id} came too late`);
      const dispatched = recordDispatch(context, live, row);
      if (dispatched !== undefined) send(dispatched);
    } catch (error) {
      log.error({ err: error, actionId: row.id }, 'a dispatch could not be recorded; it was not sent');
      if (error instanceof NoLiveApproval) endUnapproved(row.id);
      else if (isStorageFailure(error)) clock.after(STORAGE_RETRY_MS, () => enqueue(row, readySinceMs));
      else throw error;
    }
  }

  function pump(): void {
    for (let row = nextToStart(); row !== undefined; row = nextToStart()) start(row);
    waitForAgent();
  }

  function nextToStart(): ActionRow | undefined {
    if (waiting.isEmpty() || parts.isStopped() || port.status() !== 'online') return undefined;
    const underWay = countByUser(slots.ids().flatMap((id) => live.get(id) ?? []));
    const isPromptShown = parts.handsOff().isShown();
    for (const id of LANES.flatMap((lane) => nextIn(lane, underWay))) {
      const row = live.get(id);
      // guard A12-3
      if (row?.status !== 'queued' || parts.isCalledOff(id)) waiting.remove(id);
      else if (mayRun(row, isPromptShown)) return row;
    }
    return undefined;
  }

  function nextIn(lane: Lane, underWay: ReadonlyMap<string, number>): string[] {
    const taken = slots.countIn(lane);
    return taken < limitFor(true, PLACES) ? waiting.next(lane, { forAll: taken < PLACES, underWay }) : [];
  }

  function waitForAgent(): void {
    if (port.status() === 'online' || waiting.isEmpty() || parts.isStopped()) {
      stopPatience?.();
      stopPatience = undefined;
    } else {
      stopPatience ??= clock.after(AGENT_PATIENCE_MS, giveUp);
    }
  }

  function giveUp(): void {
    stopPatience = undefined;
    // From here on none of them is sent, although their records end in slices.
    endUndeliverable(waiting.takeAll());
  }

  function endUnapproved(id: string): void {
    untilStored(context, () => {
      const row = live.get(id);
      if (row?.status === 'queued') recordUnapproved(live, row);
    });
  }

  /** `readySinceMs` names since when a step of an allowed plan could have been sent. */
  function enqueue(row: ActionRow, readySinceMs?: number): void {
    waiting.add(row, readySinceMs);
    pump();
  }

  return { slots, isFree, send, enqueue, pump, turnWords };
}

const LANES: readonly Lane[] = ['desktop', 'wait'];

function countByUser(rows: readonly ActionRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { userId } of rows) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}

type Kind = Pick<ActionRow, 'actionType' | 'effectClass'>;

type Parts = {
  live: Pick<LiveActions, 'get'>;
  slots: Pick<Slots, 'ids'>;
  handsOff(): { isShown(): boolean };
};

/**
 * All devices of a machine are the same desktop, which has one pointer and one keyboard. Input, and actions that may never be repeated,
 * run one at a time. No input is sent while a prompt is shown: it could press Allow.
 */
function createSharedHands({ live, slots, handsOff }: Parts) {
  const isHeld = ({ actionType }: Pick<Kind, 'actionType'>, isPromptShown?: boolean) =>
    isInput(actionType) && (isPromptShown ?? handsOff().isShown());

  return {
    /** `isPromptShown`: for a caller that asks about many. */
    mayRun(kind: Kind, isPromptShown?: boolean): boolean {
      if (!isAlone(kind)) return true;
      const others = slots.ids().flatMap((id) => live.get(id) ?? []);
      return !others.some(isAlone) && !isHeld(kind, isPromptShown); // guard N6-1
    },
    /** The sentence in the record of an action that is not sent at once. */
    turnWords: (kind: Pick<Kind, 'actionType'>): string => (isHeld(kind) ? AFTER_THE_PROMPT : 'Waiting for its turn.'),
  };
}

function isAlone({ actionType, effectClass }: Kind): boolean {
  return effectClass === 'once' || isInput(actionType);
}

/** Ends actions for which no agent came in time. There may be hundreds, so their ends are recorded in slices. */
function createUndeliverable(context: Context, live: LiveActions): (ids: readonly string[]) => void {
  return createSlicedEnds(context, {
    stage(id) {
      const row = live.get(id);
      return row?.status === 'queued' ? live.stage(row, undeliverable()) : undefined;
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
