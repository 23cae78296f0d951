import type { TaskDryRun } from '../../contract/task.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { explain } from '../actions/admission.ts';
import { mayShowWindow, withApp, withWindow } from '../actions/dry-run.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { targetsOf, toLookUp } from '../actions/to-look-up.ts';
import { resolveWindows } from '../agent/window-resolution.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Slice } from '../work/sliced-work.ts';
import { allOf, faultOf, openRefusal } from './acceptance.ts';
import type { CheckedCall, CheckedStep } from './checked-steps.ts';

type Parts = Pick<SubmissionParts, 'deviceOf' | 'rules' | 'ask' | 'apps' | 'paths'>;

/** A step as the rules judge it, and the app or window that the agent is to be asked about. */
type Explained = TaskDryRun['steps'][number];
type Judged = { step: Explained; appName?: string | undefined; windowId?: string | undefined };

/** The verdict on each step, with its app or window as the agent finds it now, or the refusal of the whole task. */
export async function dryRunTask(call: CheckedCall, slice: Slice, parts: Parts): Promise<TaskDryRun | Refusal> {
  const { body, steps } = call;
  const fault = faultOf(body);
  if (fault !== undefined) return fault;
  await parts.paths.learn(steps.flatMap(({ checked }) => toLookUp(checked, parts.rules.displays()).paths));
  const judged = await allOf(steps, slice, (step) => judge(step, parts));
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

function judge({ step, named, checked }: CheckedStep, parts: Parts): Judged | Refusal {
  const { id, actionType } = step;
  const device = parts.deviceOf(named.userId, step.targetDeviceId);
  if (isRefusal(device)) return device;
  if (checked === 'open') {
    const rule = 'It is judged when it is its turn, since its parameters come from earlier steps.';
    const risk = { level: CATALOGUE.get(actionType)?.baseRisk ?? 'high', reasons: [rule] };
    const explained = { verdict: 'ask', rule, risk, target: null, details: `${rule} Nothing was done.` } as const;
    return openRefusal(step) ?? { step: { id, actionType, ...explained } };
  }
  const explained = explain({ ...named, checked }, device, { rules: parts.rules, missingPermissions: [] });
  if (isRefusal(explained)) return explained;
  const { verdict, rule, risk, target, details } = explained;
  const { appName, windowId } = targetsOf(checked, parts.rules.displays());
  return {
    step: { id, actionType, verdict, rule, risk, target, details },
    appName: target === null ? undefined : appName,
    windowId:
      windowId !== undefined && mayShowWindow(named, device, { verdict, rules: parts.rules }) ? windowId : undefined,
  };
}
