import { dirname, normalize } from 'node:path';
import type { PlanStep, Prompt, PlanConfirmation as Prompted } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import { doing } from '../../contract/doing.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import { RISK_LEVELS } from '../../contract/risk-level.ts';
import type { Assessment, Deed } from '../../domain/catalogue/definition.ts';
import { pathWords } from '../../domain/catalogue/window-words.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { onMachine } from '../../domain/machine-words.ts';
import { highestOf } from '../../domain/risk.ts';
import type { PlanConfirmation } from '../../store/records/confirmations.ts';
import type { PlanStepRow } from '../../store/records/plan-steps.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Context } from '../context.ts';
import {
  contentsOf,
  controlsOf,
  deviceWords,
  FIRST_TIME,
  type History,
  scriptOf,
  sentenceOf,
  visible,
  windowOf,
} from '../prompt-words.ts';
import { visibleProgram } from '../requesters/calling-programs.ts';
import { timestamp } from '../steady-clock.ts';
import { planRisk } from './plan-risk.ts';
import type { AskedStep } from './plans.ts';
import { pictured } from './target-pictures.ts';

/** The place of a prompt in the queue, and the facts of its requester. */
export type Queued = {
  place: number;
  waiting: number;
  history: History;
  isStranger: boolean;
  usually: { before: string; unusual?: string };
};

/** `askedSteps` in the order of the task. `displays`: of the machine of a device. */
type Planned = {
  plan: PlanConfirmation;
  askedSteps: readonly AskedStep[];
  displays(deviceId: string): readonly Display[];
};

/** A plan with the facts for its prompt. The facts at the top sum up the facts of the steps. */
export function planPrompt(
  context: Context,
  { plan, askedSteps, displays }: Planned,
  { history, isStranger, usually, ...queue }: Queued,
): Pick<Prompted, 'plan' | 'prompt'> {
  const task = context.store.tasks.findById(plan.taskId);
  if (task === undefined) throw new Error(`confirmation ${plan.id} is for the task ${plan.taskId}, which is not there`);
  const folder = commonFolder(plan, askedSteps);
  const steps = task.steps.flatMap((step, index) => {
    const row = plan.steps[index];
    return row === undefined
      ? []
      : [viewStep(context, task, { step, row, history, asked: askedSteps[index], displays, folder })];
  });
  const asked = steps.filter(({ consent }) => consent === 'asked');
  const level = planRisk(plan);
  const user = context.store.users.find(plan.userId);
  const riskiest = asked.filter(({ risk }) => risk.level === level);
  return {
    plan: { taskId: plan.taskId, steps },
    prompt: {
      requester: {
        userId: plan.userId,
        ...(isStranger && { isStranger }),
        via: 'task',
        knownSince: timestamp(user?.firstSeenAtMs ?? task.createdAtMs),
        hasKey: user?.keyHash !== undefined,
        ...usually,
        program: visibleProgram(context.store.callingPrograms.find(plan.taskId)),
      },
      device: [...new Set(steps.map(({ device }) => device))].join(', '),
      sentence: planSentence(context, { task, plan, askedSteps }),
      arguments: `[${asked.map((step) => step.arguments).join(',')}]`,
      changes: asked.map(({ changes }) => changes).join(' '),
      risk: { level, reasons: [...new Set(riskiest.flatMap(({ risk }) => risk.reasons))] },
      task: taskOf(task, steps),
      history: asked.find((step) => step.history === FIRST_TIME)?.history ?? asked[0]?.history ?? FIRST_TIME,
      reason: task.reason && visible(task.reason),
      ...queue,
    },
  };
}

function taskOf(task: TaskRow, steps: readonly PlanStep[]): Required<Prompt>['task'] {
  return {
    name: visible(task.name),
    step: steps.findIndex(({ consent }) => consent === 'asked') + 1,
    of: task.steps.length,
    alsoAsks: steps
      .filter(({ consent }) => consent === 'later')
      .map(({ id, actionType }) => `${doing(actionType)} (${id})`),
  };
}

type Asked =
  | (Pick<Assessment, 'paths' | 'sentenceIn' | 'done' | 'machine'> & Partial<Pick<Assessment, 'risk' | 'script'>>)
  | undefined;
type PlannedStep = { actionType: string; asked: Asked; machine?: string };

/** Kinds of effects that a title names, those of the highest risk; it counts the other steps. */
const MOST_KINDS = 3;

/** The folder in which all paths of the steps lie, where a prompt says it once: at least two steps name paths. */
export function folderOf(asked: readonly Asked[]): string | undefined {
  const steps = asked.filter((step) => step?.sentenceIn !== undefined);
  // The same path on another machine is another folder.
  if (steps.some((step) => step?.machine !== steps[0]?.machine)) return undefined;
  const paths = steps.flatMap((step) => step?.paths ?? []);
  const [first = '', ...others] = paths;
  const common = others.reduce((folder, path) => shared(folder, path), first);
  const isFolder = paths.some((path) => path !== common);
  const around = isFolder ? common : dirname(common);
  // What takes a folder away from its place is not in it.
  const isTaken = steps.some((step) => TAKES_AWAY.has(step?.done?.did) && step?.paths.includes(around));
  const folder = isTaken ? dirname(around) : around; // guard N52-1
  // A path that nobody has followed may lead out of the folder that it begins with.
  const isPlain = paths.every((path) => path === normalize(path));
  return isPlain && steps.length > 1 && folder.startsWith('/') && folder !== '/' ? folder : undefined;
}

const TAKES_AWAY: ReadonlySet<Deed | undefined> = new Set<Deed>(['moved', 'renamed', 'trashed']);

function shared(one: string, other: string): string {
  const others = other.split('/');
  const parts = one.split('/');
  const end = parts.findIndex((part, index) => part !== others[index]);
  return end < 0 ? one : parts.slice(0, end).join('/');
}

/** What the steps will do, by kind: `Move 3 items, trash 2 items, run 1 script, all in ~/Reports`. */
export function effectsToCome(steps: readonly PlannedStep[], folder: string | undefined): string {
  const kinds = [...Map.groupBy(steps, kindOf)];
  const gravest = kinds.toSorted(([, one], [, other]) => gravityOf(other) - gravityOf(one)).slice(0, MOST_KINDS); // guard N52-2
  const told = kinds.filter((kind) => gravest.includes(kind));
  const parts = told.map(([kind, { length }]) => wordsFor(kind, length));
  const rest = told.reduce((left, [, { length }]) => left - length, steps.length);
  const others = rest === 0 ? '' : things(' and', 'other step')(rest);
  const words = `${parts.join(', ')}${others}`;
  return onMachines(steps, `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${placeWords(steps, folder)}`);
}

/** Steps on several machines name all of them first. */
function onMachines(steps: readonly PlannedStep[], words: string): string {
  const machines = new Set(steps.map(({ machine = LOCAL }) => machine));
  if (machines.size < 2) return onMachine([...machines][0], words);
  const others = [...machines].filter((machine) => machine !== LOCAL);
  const all = machines.has(LOCAL) ? [...others, 'this computer'] : others;
  return onMachine(LIST.format(all), words);
}

const LIST = new Intl.ListFormat('en-GB');

function kindOf({ actionType, asked }: PlannedStep): string {
  const kind = asked?.done?.did ?? doing(actionType);
  return kind === 'ran' && reachesNetwork(asked) ? RAN_WITH_NETWORK : kind;
}

function reachesNetwork(asked: Asked): boolean {
  return (asked?.script?.network.length ?? 0) > 0;
}

/** The place of the highest risk of its steps. */
function gravityOf(steps: readonly PlannedStep[]): number {
  return RISK_LEVELS.indexOf(highestOf(steps.map(({ asked }) => asked?.risk?.level ?? 'low')));
}

/** An action that only looks has no effect. It is named by its type. */
function wordsFor(kind: string, count: number): string {
  const times = count === 1 ? '' : ` ${count} times`;
  return WORDS.get(kind)?.(count) ?? `${kind}${times}`;
}

function placeWords(steps: readonly PlannedStep[], folder: string | undefined): string {
  if (folder === undefined) return '';
  const isAll = steps.every(({ asked }) => asked?.sentenceIn !== undefined && staysInPlaces(asked));
  return `, ${isAll ? 'all' : 'files'} in ${visible(pathWords(folder))}`;
}

/** Whether a step does nothing but at its paths: a script without a folder, and one that sends, is at none of them. */
function staysInPlaces(asked: NonNullable<Asked>): boolean {
  return asked.paths.length > 0 && !reachesNetwork(asked);
}

const things =
  (verb: string, noun: string) =>
  (count: number): string =>
    `${verb} ${count} ${noun}${count === 1 ? '' : 's'}`;

const BY_DEED: Record<Deed, (count: number) => string> = {
  typed: things('type', 'text'),
  copied: things('copy', 'text'),
  filled: things('fill', 'field'),
  clicked: things('click', 'control'),
  pressed: (count) => `press keys ${count === 1 ? 'once' : `${count} times`}`,
  dragged: things('drag', 'object'),
  chose: things('choose', 'menu item'),
  saved: things('save', 'file'),
  opened: things('open', 'app'),
  quit: things('quit', 'app'),
  closed: things('close', 'window'),
  visited: things('open', 'address'),
  created: things('create', 'file'),
  replaced: things('replace', 'file'),
  moved: things('move', 'item'),
  renamed: things('rename', 'item'),
  trashed: things('trash', 'item'),
  ran: things('run', 'script'),
};

const RAN_WITH_NETWORK = 'ran with network';

const WORDS = new Map<string, (count: number) => string>([
  ...Object.entries(BY_DEED),
  [RAN_WITH_NETWORK, (count) => `${BY_DEED.ran(count)} with network`],
]);

/** The folder of the steps that ask, which their lines leave out. */
function commonFolder(plan: Pick<PlanConfirmation, 'steps'>, askedSteps: readonly AskedStep[]): string | undefined {
  return folderOf(
    askedSteps.filter((_step, index) => plan.steps[index]?.consent === 'asked').map(({ byName }) => byName),
  );
}

type Sentenced = { task: TaskRow; plan: Pick<PlanConfirmation, 'steps'>; askedSteps: readonly AskedStep[] };

/** What a plan will do, in one sentence. */
export function planSentence(
  { store: { devices } }: Pick<Context, 'store'>,
  { task, plan, askedSteps }: Sentenced,
): string {
  const asked = task.steps.flatMap((step, index) =>
    plan.steps[index]?.consent === 'asked'
      ? [{ step, asked: askedSteps[index], machine: devices.machineOf(step.deviceId) }]
      : [],
  );
  const [only] = asked;
  if (asked.length === 1 && only !== undefined) return wordsOf(only.step, only, undefined).sentence;
  return effectsToCome(
    asked.map(({ step, asked: { byName } = {}, machine }) => ({ actionType: step.actionType, asked: byName, machine })),
    commonFolder(plan, askedSteps),
  );
}

type Viewed = Pick<Planned, 'displays'> & {
  step: StepRow;
  row: PlanStepRow;
  history: History;
  asked: AskedStep | undefined;
  folder: string | undefined;
};

function viewStep(context: Context, task: TaskRow, { step, row, history, asked, displays, folder }: Viewed): PlanStep {
  return {
    id: step.id,
    consent: row.consent,
    actionType: step.actionType,
    targetDeviceId: step.deviceId,
    device: deviceWords(context, step.deviceId),
    dependsOn: step.dependsOn,
    ...wordsOf(step, { asked, machine: context.store.devices.machineOf(step.deviceId) }, folder),
    arguments: visible(asked?.arguments() ?? '{}'),
    ...windowOf(step),
    ...controlsOf(step),
    ...(row.consent === 'asked'
      ? pictured({ targets: step.targets, region: asked?.byName?.region }, displays(step.deviceId))
      : {}),
    risk: step.risk,
    ...(row.consent === 'asked' ? { history: history(task.userId, step.actionType) } : {}),
    maxAttempts: step.maxAttempts,
  };
}

/** The sentence of a step, before it starts. */
function wordsOf(
  { actionType }: StepRow,
  { asked, machine }: { asked: AskedStep | undefined; machine: string },
  folder: string | undefined,
): Pick<PlanStep, 'sentence' | 'changes' | 'script' | 'contents'> {
  const assessment = asked?.byName;
  if (assessment === undefined)
    return { sentence: onMachine(machine, CATALOGUE.get(actionType)?.summary ?? actionType) };
  return {
    sentence: sentenceOf(assessment, folder),
    changes: visible(assessment.changes),
    ...scriptOf(assessment),
    ...contentsOf(assessment),
  };
}
