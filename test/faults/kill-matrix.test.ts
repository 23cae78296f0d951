import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EffectClass } from '../../src/contract/action.ts';
import type { StepStatus } from '../../src/contract/task.ts';
import { shareOf } from '../runner/share.ts';
import { type Blow, fallenBlows, type Victim } from './blows.ts';
import { clear, effectsOf, liveAgain, liveThrough, makeCell, makeTemplate, type Plot, type Template } from './cell.ts';
import {
  changesOfThePast,
  contradictionsIn,
  dispatchesOf,
  type History,
  looseEndsIn,
  readHistory,
  readLiveHistory,
  worksOf,
} from './history.ts';

/**
 * Each moment of TASKS.md × the effect class of the step × the killed process. The process that reaches the moment notices it and kills
 * the victims, itself last: so the agent can die "inside create" too, while the daemon pauses between two instructions and then goes on.
 * Where the victim does not exist at that moment:
 * - During migration and recovery the daemon starts and has no agent. Both rows follow a first kill between the effect and its reply.
 *   In the migration row "the agent" is then the one the dead daemon left behind, which hangs so that it still exists. In the recovery
 *   row it is the next agent, killed while its hello is answered.
 * - A client sends the cancel and the idempotent replay, after the effect and while the reply is held back.
 * The step is approved with the plan of its task, which is the prompt and the approval of TASKS.md. In two more rows the rules change while
 * the plan waits: that makes the plan void, and the step asks by itself.
 */
type Whom = 'daemon' | 'agent' | 'both';

/** What must have become of the step at last, and how often its effect has happened. */
type Ending = Record<EffectClass, [StepStatus, number]>;

const UNDISTURBED: Ending = { pure: ['success', 1], idempotent: ['success', 1], once: ['success', 1] };
const APPROVAL_LOST: Ending = { pure: ['expired', 0], idempotent: ['expired', 0], once: ['expired', 0] };
const LOST_UNDONE: Ending = { pure: ['success', 1], idempotent: ['success', 1], once: ['unknown', 0] };
const LOST_DONE: Ending = { pure: ['success', 2], idempotent: ['success', 2], once: ['unknown', 1] };
/**
 * A step that was lost and may be repeated asks again, and the next kill ends that prompt. A step with a target asks only once the agent
 * has looked at it, so its prompt comes after that kill.
 */
const LOST_AND_APPROVAL_LOST: Ending = { pure: ['expired', 1], idempotent: ['success', 2], once: ['unknown', 1] };
const LOST_UNWANTED: Ending = { pure: ['failed', 1], idempotent: ['failed', 1], once: ['unknown', 1] };

type Row = {
  moment: string;
  at: string;
  ending: Record<Whom, Ending>;
  rulesChange?: boolean;
  /** When both were killed, the end leaves the same tasks, actions and prompts in the database as the row "after dispatch, before send". */
  restsAsLost?: true;
};

const MOMENTS: readonly Row[] = [
  { moment: 'inside create', at: 'inside task.submitted', ending: same(UNDISTURBED) },
  // The prompt for its plan is stored with the task.
  { moment: 'after create', at: 'after task.submitted', ending: { ...same(APPROVAL_LOST), agent: UNDISTURBED } },
  {
    moment: 'after the prompt',
    at: 'after confirmation.shown',
    ending: { ...same(APPROVAL_LOST), agent: UNDISTURBED },
  },
  {
    // What a plan allowed and what has not begun asks by itself after a restart.
    moment: 'after approval, before dispatch',
    at: 'after task.plan_allowed',
    ending: { ...same(UNDISTURBED), agent: LOST_UNDONE },
  },
  {
    moment: 'after its own prompt',
    at: 'after confirmation.shown',
    ending: { ...same(APPROVAL_LOST), agent: UNDISTURBED },
    rulesChange: true,
  },
  {
    moment: 'after its own approval, before dispatch',
    at: 'after action.allowed',
    ending: { ...same(APPROVAL_LOST), agent: LOST_UNDONE },
    rulesChange: true,
  },
  { moment: 'after dispatch, before send', at: 'after action.dispatched', ending: same(LOST_UNDONE) },
  {
    // The agent that is left behind does what it was sent before it learns that its daemon is dead.
    moment: 'after send, before accepted',
    at: 'perform received',
    ending: { ...same(LOST_UNDONE), daemon: LOST_DONE },
    restsAsLost: true,
  },
  {
    moment: 'after accepted, before the effect',
    at: 'before the effect',
    ending: { ...same(LOST_UNDONE), daemon: LOST_DONE },
    restsAsLost: true,
  },
  { moment: 'after the effect, before the reply', at: 'after the effect', ending: same(LOST_DONE), restsAsLost: true },
  {
    moment: 'after the reply, before commit',
    at: 'inside action.succeeded',
    ending: { ...same(LOST_DONE), agent: UNDISTURBED },
    restsAsLost: true,
  },
  { moment: 'after commit, before acknowledgement', at: 'after action.succeeded', ending: same(UNDISTURBED) },
  { moment: 'during cancel', at: 'after task.cancel_requested', ending: same(LOST_UNWANTED) },
  { moment: 'during migration', at: 'the schema is changed', ending: same(LOST_DONE) },
  { moment: 'during an idempotent replay', at: 'a key is used again', ending: same(LOST_DONE), restsAsLost: true },
  {
    moment: 'during recovery',
    at: 'after action.lost',
    ending: { ...same(LOST_DONE), both: LOST_AND_APPROVAL_LOST },
  },
];

const CLASSES = ['pure', 'idempotent', 'once'] as const;

const STEPS: Record<EffectClass, { actionType: string; parameters: Record<string, unknown> }> = {
  pure: { actionType: 'TakeScreenshot', parameters: {} },
  idempotent: { actionType: 'OpenApp', parameters: { appName: 'Text Editor' } },
  once: { actionType: 'QuitApp', parameters: { appName: 'Keyring' } },
};

/** The words for their effects in the ledger. */
const EFFECTS: Record<EffectClass, readonly string[]> = {
  pure: ['capture'],
  idempotent: ['launch', 'activate'],
  once: ['quit'],
};

/** So that it is the loss itself that is noticed, and not that a step takes too long. */
const LONGEST_MS = 600_000;

const VICTIMS: Record<Whom, readonly Victim[]> = { daemon: ['daemon'], agent: ['agent'], both: ['daemon', 'agent'] };

/**
 * The classes share a data directory, one after the other, so that the daemon which recovers one goes on with the next: half as many
 * starts. An agent that is killed twice for each class has a directory for each: its daemon starts it five times and no more.
 */
const CELLS = MOMENTS.flatMap((row) =>
  (['daemon', 'agent', 'both'] as const).flatMap((whom) => {
    const isOften = row.moment === 'during recovery' && whom === 'agent';
    const groups: (readonly EffectClass[])[] = isOften ? CLASSES.map((each) => [each]) : [CLASSES];
    return groups.map((classes) => ({ ...row, whom, classes, named: classes.join(' step, then a ') }));
  }),
);

let template: Template;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => clear(template));

test.concurrent.for(shareOf(CELLS, 3))(
  '$moment: a $named step, and $whom killed',
  async ({ at, moment, classes, whom, ending, rulesChange = false, restsAsLost }, { onTestFinished }) => {
    const plots = classes.map((effectClass): Plot => {
      const step = { id: effectClass, targetDeviceId: template.deviceId, timeoutMs: LONGEST_MS, ...STEPS[effectClass] };
      return { step, blows: blowsOf({ at, moment, whom }), rulesChange };
    });
    const cell = makeCell(template, plots);
    onTestFinished(() => clear(cell));
    const histories: History[] = [];
    await liveThrough(cell, (rest) => {
      const history = rest?.isLive ? readLiveHistory(cell.dataDirectory) : readHistory(cell.dataDirectory);
      histories.push(history);
      if (rest === undefined) return;
      expect(looseEndsIn(history)).toEqual([]);
      expect(history.tasks).toHaveLength(plots.indexOf(rest.plot) + 1);
    });
    expect(fallenBlows(cell.folder)).toEqual(plots.flatMap(({ blows }) => blows.map((blow) => blow.at)));
    const effects = effectsOf(cell);
    const rested = histories.at(-1);
    if (rested === undefined) throw new Error('there was no life');
    // A restart knows only what is stored. It does not know who died before it, so one victim is enough here, and one row of those that rest alike.
    if (whom === 'both' && restsAsLost === undefined) {
      await liveAgain(cell);
      const again = readHistory(cell.dataDirectory);
      histories.push(again);
      expect({ work: worksOf(again), effects: effectsOf(cell) }).toEqual({ work: worksOf(rested), effects });
    }
    expect(histories.flatMap(contradictionsIn)).toEqual([]);
    expect(histories.slice(1).flatMap((after, index) => changesOfThePast(histories[index] ?? after, after))).toEqual(
      [],
    );
    const known = classes.flatMap((effectClass) => EFFECTS[effectClass]);
    expect(effects.filter((effect) => !known.includes(effect))).toEqual([]);
    for (const effectClass of classes) {
      const [step] = rested.tasks.map(({ steps }) => steps[0]).filter((each) => each?.id === effectClass);
      const happened = effects.filter((effect) => EFFECTS[effectClass].includes(effect)).length;
      expect([effectClass, step?.status, happened]).toEqual([effectClass, ...ending[whom][effectClass]]);
      expect(happened).toBeLessThanOrEqual(dispatchesOf(effectClass, rested));
      if (effectClass === 'once') expect(dispatchesOf(effectClass, rested)).toBeLessThanOrEqual(1);
    }
  },
);

function blowsOf({ moment, at, whom }: Pick<Row, 'moment' | 'at'> & { whom: Whom }): Blow[] {
  const kill = VICTIMS[whom];
  if (moment === 'during migration')
    return [
      { at: 'after the effect', kill: ['daemon'], freezeAgent: whom !== 'daemon' },
      { at, kill },
    ];
  if (moment === 'during recovery')
    return [
      { at: 'after the effect', kill },
      { at: whom === 'daemon' ? at : 'inside agent.online', kill },
    ];
  return [{ at, kill }];
}

function same(ending: Ending): Record<Whom, Ending> {
  return { daemon: ending, agent: ending, both: ending };
}
