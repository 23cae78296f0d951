import type { StepSubmission, TaskDryRun } from '../../contract/task.ts';
import { explain } from '../actions/admission.ts';
import { windowToShow, withApp, withWindow } from '../actions/dry-run.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { toLookUp } from '../actions/to-look-up.ts';
import { resolveWindows } from '../agent/window-resolution.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, TaskCall } from '../services.ts';
import type { Slice } from '../work/sliced-work.ts';
import { allOf, faultOf, openDefinition, openRefusal, submissionOf } from './acceptance.ts';

type Parts = Pick<SubmissionParts, 'deviceOf' | 'rules' | 'ask' | 'apps' | 'paths'>;

/** A step as the rules judge it, and the app or window that the agent is to be asked about. */
type Explained = TaskDryRun['steps'][number];
type Judged = { step: Explained; appName?: string | undefined; windowId?: string | undefined };

/** The verdict on each step, with its app or window as the agent finds it now, or the refusal of the whole task. */
export async function dryRunTask(call: TaskCall, slice: Slice, parts: Parts): Promise<TaskDryRun | Refusal> {
  const { userId, body: task } = call;
  const fault = faultOf(task);
  if (fault !== undefined) return fault;
  await parts.paths.learn(task.steps.flatMap(({ actionType, parameters }) => toLookUp(actionType, parameters).paths));
  const judged = await allOf(task.steps, slice, (step) => judge(submissionOf(userId, task, step), step, parts));
  if (isRefusal(judged)) return judged;
  // The agent's answers may take seconds.
  call.turn?.end();
  return { dryRun: true, steps: await withTargets(judged, parts) };
}

async function withTargets(judged: readonly Judged[], { ask, apps }: Parts): Promise<Explained[]> {
  const names = new Set(judged.flatMap(({ appName }) => appName ?? []));
  const learned = [...names].map(async (name) => [name, await apps.learn(name)] as const);
  const found = new Map(await Promise.all(learned));
  const windows = await resolveWindows(
    ask,
    judged.flatMap(({ windowId }) => windowId ?? []),
    'medium',
  );
  return judged.map(({ step, appName, windowId }) => {
    if (appName !== undefined) return withApp(step, found.get(appName));
    const window = windowId === undefined ? undefined : windows.get(windowId);
    return window === undefined ? step : withWindow(step, window);
  });
}

function judge(submission: Submission, step: StepSubmission, parts: Parts): Judged | Refusal {
  const { id, actionType } = step;
  const device = parts.deviceOf(submission.userId, step.targetDeviceId);
  if (isRefusal(device)) return device;
  const definition = openDefinition(step);
  if (definition !== undefined) {
    const refusal = openRefusal(definition, step);
    if (refusal !== undefined) return refusal;
    const rule = 'It is judged when it is its turn, since its parameters come from earlier steps.';
    const risk = { level: definition.baseRisk, reasons: [rule] };
    return { step: { id, actionType, verdict: 'ask', rule, risk, target: null, details: `${rule} Nothing was done.` } };
  }
  const explained = explain(submission, device, { rules: parts.rules, missingPermissions: [] });
  if (isRefusal(explained)) return explained;
  const { verdict, rule, risk, target, details } = explained;
  const { appName } = submission.body.parameters;
  return {
    step: { id, actionType, verdict, rule, risk, target, details },
    appName: target !== null && typeof appName === 'string' ? appName : undefined,
    windowId: windowToShow(submission, device, { verdict, rules: parts.rules }),
  };
}
