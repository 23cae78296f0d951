import type { PlanStep, Prompt, PlanConfirmation as Prompted } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import { doing } from '../../contract/doing.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { onMachine } from '../../domain/machine-words.ts';
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
import { timestamp } from '../timestamps.ts';
import { planRisk } from './plan-risk.ts';
import { effectsToCome, folderOf } from './plan-words.ts';
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
