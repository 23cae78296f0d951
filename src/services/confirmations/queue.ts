import type { RiskLevel } from '../../contract/action.ts';
import type { Confirmation, ConfirmationQueue, QueuedConfirmation } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../permissions/grants.ts';
import { readHistory } from '../prompt-words.ts';
import { untilStored } from '../work/storage-failure.ts';
import { actionOf, type Presence } from './answer.ts';
import { journalIds } from './journal-ids.ts';
import { planRisk } from './plan-risk.ts';
import { planSentence } from './plan-view.ts';
import type { Plans } from './plans.ts';
import { actionSentence, questionOf, viewConfirmation, viewTimes } from './view.ts';

/** The line of a prompt in the queue. It does not change while the prompt waits. */
type Headline = { level: RiskLevel; sentence: string };

type PromptOrder = ReturnType<typeof createPromptOrder>;

type Asking = Pick<PendingConfirmation, 'id' | 'userId'>;

/** Prompts that share a turn, in their order. */
type Party<Row> = { name: string; rank: number; prompts: readonly Row[] };

type PromptOrderParts = {
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
};

const RANK = { locked: 0, known: 1, stranger: 2 } as const;

/**
 * Turns among requesters, so that many prompts of one do not hide the only prompt of another. A turn is over when a prompt that was
 * on screen ends. The requester with the oldest last turn is next. Among equals a requester with a key comes first, then one that
 * the person has dealt with, then the oldest prompt.
 */
export function createPromptOrder({ store }: Context, { isKnown }: PromptOrderParts) {
  let count = 0;
  const lastTurns = new Map<string, number>();
  const lastTurnOf = ({ name }: { name: string }) => lastTurns.get(name) ?? 0;

  function rankOf(userId: string): number {
    if (store.users.find(userId)?.keyHash !== undefined) return RANK.locked;
    return isKnown(userId) ? RANK.known : RANK.stranger;
  }

  function inTurn<Row extends Asking>(parties: readonly Party<Row>[]): Row[] {
    return dealt(
      parties.toSorted(
        (one, other) =>
          lastTurnOf(one) - lastTurnOf(other) || one.rank - other.rank || byId(one.prompts[0], other.prompts[0]),
      ),
    );
  }

  return {
    /** Whether the person has never dealt with this requester. */
    isStranger: (userId: string): boolean => rankOf(userId) === RANK.stranger,
    /** Prompts of one level of risk, all of strangers or none, in the order in which the person meets them. */
    order<Row extends Asking>(prompts: readonly Row[]): Row[] {
      const ofRequesters = [...Map.groupBy(prompts.toSorted(byId), ({ userId }) => userId)];
      const parties = ofRequesters.map(([name, own]): Party<Row> => ({ name, rank: rankOf(name), prompts: own }));
      return inTurn(parties);
    },
    /** A prompt has ended, or was answered. Its requester had a turn if it was on screen. */
    ended(confirmationId: string): void {
      const { userId, shownAtMs } = store.confirmations.find(confirmationId) ?? {};
      if (userId === undefined || shownAtMs === undefined) return;
      count += 1;
      lastTurns.set(userId, count); // guard E2-23
    },
    /** The person took an answer back: the prompt is next again. */
    giveBack: (userId: string): void => void lastTurns.delete(userId),
    /** Nothing waits, so nobody is owed a turn. */
    forget: (): void => lastTurns.clear(),
  };
}

/** The first prompt of each party, then the second of each, and so on. */
function dealt<Row>(parties: readonly Party<Row>[]): Row[] {
  const rounds = Math.max(0, ...parties.map(({ prompts }) => prompts.length));
  return Array.from({ length: rounds }, (_, round) =>
    parties.flatMap(({ prompts }) => prompts.slice(round, round + 1)),
  ).flat();
}

/** Ids begin with their time. */
function byId(one: Asking | undefined, other: Asking | undefined): number {
  return (one?.id ?? '') < (other?.id ?? '') ? -1 : 1;
}

type Parts = {
  live: LiveActions;
  grants: Grants;
  waiting(): PendingConfirmation[];
  requiredPresence(): Presence;
  turns: Pick<PromptOrder, 'order' | 'forget' | 'isStranger'>;
  /** To be told which prompt is first now. */
  began(id: string | undefined): void;
  /** A prompt came, reads otherwise or ended. */
  promptsChanged(): void;
  plans: Pick<Plans, 'stepsOf'>;
  /** The displays of the machine of a device; none while its agent is not connected. */
  displays(deviceId: string): readonly Display[];
  /** The days before of a requester, and its unusual day of today, in words. */
  usually(userId: string): { before: string; unusual?: string };
};

const A_MINUTE = { spanMs: 60_000, calls: 6 };
const AN_HOUR = { spanMs: 3_600_000, calls: 20 };

/**
 * Limits how often a person is called: at most 6 times a minute and 20 times an hour. Further prompts wait in the queue
 * without a call, and expire like any other.
 */
export function createCalls(context: Context) {
  const { store, clock } = context;
  const called = new Map<string, number>();
  let callsAtMs: number[] = [];
  let stopTimer: (() => void) | undefined;

  /** Milliseconds until the next call is allowed; 0 for now. */
  function waitMs(): number {
    const nowMs = clock.monotonicMs();
    callsAtMs = callsAtMs.filter((atMs) => nowMs - atMs < AN_HOUR.spanMs);
    const waits = [A_MINUTE, AN_HOUR].map(({ spanMs, calls }) => {
      const oldest = callsAtMs.filter((atMs) => nowMs - atMs < spanMs).at(-calls);
      return oldest === undefined ? 0 : oldest + spanMs - nowMs;
    });
    return Math.max(...waits);
  }

  function call(row: PendingConfirmation): void {
    const atMs = clock.nowMs();
    called.set(row.id, atMs);
    callsAtMs.push(clock.monotonicMs());
    untilStored(context, () =>
      store.write('relaxed', () =>
        store.journal.append(clock.nowMs(), { kind: 'confirmation.called', ...journalIds(row) }),
      ),
    );
  }

  function consider(first: () => PendingConfirmation | undefined): void {
    stopTimer?.();
    stopTimer = undefined;
    const row = first();
    if (row === undefined) called.clear();
    if (row === undefined || called.has(row.id)) return;
    const delayMs = waitMs();
    if (delayMs === 0) call(row);
    else stopTimer = clock.after(delayMs, () => consider(first));
  }

  return {
    /** Calls the person for the first prompt in the queue, at once or as soon as the limits allow it. */
    consider,
    calledAtMs: (id: string): number | undefined => called.get(id),
  };
}

/**
 * The prompts in the order in which a person meets them. Requesters that the person has dealt with come before strangers, then the
 * highest risk comes first, and within a level the requesters take turns.
 */
export function createQueue(context: Context, parts: Parts) {
  const { live, grants, waiting, requiredPresence, turns, plans, began, promptsChanged, displays, usually } = parts;
  const { store } = context;
  const calls = createCalls(context);
  const headlineOf = createHeadlines(context, { live, plans });

  /** Any program can make up user ids, and ask for things of high risk: neither may put it before a requester that is known. */
  function rows(): PendingConfirmation[] {
    const { strangers = [], known = [] } = Object.groupBy(waiting(), ({ userId }) =>
      // guard P1-1
      turns.isStranger(userId) ? 'strangers' : 'known',
    );
    return [known, strangers].flatMap((prompts) => {
      const byLevel = Map.groupBy(prompts, (row) => headlineOf(row).level);
      return [...byLevel]
        .toSorted(([one], [other]) => (isAtLeast(one, other) ? -1 : 1))
        .flatMap(([, ofLevel]) => turns.order(ofLevel));
    });
  }

  /** Once nothing waits, nobody is owed a turn. */
  function firstRow(): PendingConfirmation | undefined {
    const [first] = rows();
    if (first === undefined) turns.forget(); // guard E2-24
    return first;
  }

  function changed(): void {
    began(firstRow()?.id); // guard P1-2
    calls.consider(firstRow);
    promptsChanged();
  }

  function whole(id: string, all: readonly PendingConfirmation[]): Confirmation {
    const row = store.confirmations.find(id);
    const index = all.findIndex((other) => other.id === id);
    if (row === undefined || index < 0) throw new Error(`confirmation ${id} is pending and not in the queue`);
    const queued = {
      place: index + 1,
      waiting: all.length,
      calledAtMs: calls.calledAtMs(id),
      isStranger: turns.isStranger(row.userId),
      usually: usually(row.userId),
    };
    const view = viewConfirmation(
      context,
      { live, grants, plans, displays },
      { row, ...queued, history: readHistory(context) },
    );
    const needsTouch = view.presenceRequired && requiredPresence() === 'touchId';
    return needsTouch ? { ...view, presenceBy: 'touchId' } : view;
  }

  function inQueue(row: PendingConfirmation, index: number, all: readonly PendingConfirmation[]): QueuedConfirmation {
    const { level, sentence } = headlineOf(row);
    return {
      id: row.id,
      actionDigest: row.actionDigest,
      ...(row.kind === 'action' && { question: questionOf(context, actionOf(live, row)) }),
      ...viewTimes(context, row, calls.calledAtMs(row.id)),
      prompt: {
        requester: { userId: row.userId, ...(turns.isStranger(row.userId) && { isStranger: true as const }) },
        sentence,
        risk: { level },
        place: index + 1,
        waiting: all.length,
      },
    };
  }

  return {
    list(): ConfirmationQueue {
      const all = rows();
      const [first] = all;
      return first === undefined ? [] : [whole(first.id, all), ...all.map(inQueue).slice(1)];
    },
    isFirst: (row: ConfirmationRow): boolean => rows()[0]?.id === row.id,
    /** The prompt as the dashboard sees it; it must be pending. */
    view: (id: string): Confirmation => whole(id, rows()),
    /** To be told whenever a prompt came or ended: the person may have to be called for another one. */
    changed,
  };
}

/** Works out the headline of each prompt once: a plan may have a hundred steps, and the queue is read at every change. */
function createHeadlines({ store }: Context, { live, plans }: Pick<Parts, 'live' | 'plans'>) {
  const ofActions = new WeakMap<ActionRow, Headline>();
  let ofPlans = new Map<string, Headline>();

  function ofAction(action: ActionRow): Headline {
    const headline = ofActions.get(action) ?? { level: action.risk.level, sentence: actionSentence(live, action) };
    ofActions.set(action, headline);
    return headline;
  }

  function ofPlan(id: string): Headline {
    const known = ofPlans.get(id);
    if (known !== undefined) return known;
    const plan = store.confirmations.find(id);
    const task = plan?.kind === 'plan' ? store.tasks.findById(plan.taskId) : undefined;
    if (plan?.kind !== 'plan' || task === undefined) throw new Error(`the plan ${id} is pending and has no task`);
    const headline = {
      level: planRisk(plan),
      sentence: planSentence({ store }, { task, plan, askedSteps: plans.stepsOf(id) }),
    };
    forgetOthers();
    ofPlans.set(id, headline);
    return headline;
  }

  /** Plans that wait no longer. */
  function forgetOthers(): void {
    const waiting = new Set(store.confirmations.pendingHeads().map((row) => row.id));
    ofPlans = new Map([...ofPlans].filter(([id]) => waiting.has(id)));
  }

  return (row: PendingConfirmation): Headline => (row.kind === 'plan' ? ofPlan(row.id) : ofAction(actionOf(live, row)));
}
