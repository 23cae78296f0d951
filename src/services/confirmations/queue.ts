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
import { actionOf } from './answer.ts';
import { createCalls } from './calls.ts';
import type { Presence } from './holds.ts';
import { planRisk } from './plan-risk.ts';
import { planSentence } from './plan-view.ts';
import type { Plans } from './plans.ts';
import type { Turns } from './prompt-order.ts';
import { questionOf } from './question.ts';
import { actionSentence, viewConfirmation, viewTimes } from './view.ts';

/** The line of a prompt in the queue. It does not change while the prompt waits. */
type Headline = { level: RiskLevel; sentence: string };

type Parts = {
  live: LiveActions;
  grants: Grants;
  waiting(): PendingConfirmation[];
  requiredPresence(): Presence;
  turns: Pick<Turns, 'order' | 'forget' | 'isStranger'>;
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
    if (first === undefined) turns.forget();
    return first;
  }

  function changed(): void {
    began(firstRow()?.id);
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
