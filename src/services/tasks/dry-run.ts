import type { TaskDryRun } from '../../contract/task.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { mayActOn } from '../actions/admission.ts';
import { explain } from '../actions/dry-run.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { seenIn } from '../targets/sight.ts';
import type { Slice } from '../work/turns.ts';
import { allOf, faultOf, openRefusal } from './acceptance.ts';
import type { CheckedCall, CheckedStep } from './checked-steps.ts';
import { type SightOf, sightOfTask } from './task-sight.ts';

type Parts = Pick<SubmissionParts, 'deviceOf' | 'rules' | 'agents'>;

type Explained = TaskDryRun['steps'][number];

/** The verdict on each step, with its target as the agent finds it now, or the refusal of the whole task. */
export async function dryRunTask(call: CheckedCall, slice: Slice, parts: Parts): Promise<TaskDryRun | Refusal> {
  const fault = faultOf(call.body);
  if (fault !== undefined) return fault;
  const { userId, steps: all } = call;
  const looked = all.filter(({ step }) => mayActOn(parts.agents.of(step.targetDeviceId).machine, userId, parts.rules));
  const sightOf = await sightOfTask({ userId, steps: looked }, parts);
  const steps = await allOf(call.steps, slice, (step) => explainStep(step, { ...parts, sightOf }));
  return isRefusal(steps) ? steps : { dryRun: true, steps };
}

function explainStep(
  { step, named, checked }: CheckedStep,
  { deviceOf, rules, sightOf }: Parts & { sightOf: SightOf },
): Explained | Refusal {
  const { id, actionType } = step;
  const device = deviceOf(named.userId, step.targetDeviceId);
  if (isRefusal(device)) return device;
  if (checked === 'open') {
    const rule = 'It is judged when it is its turn, since its parameters come from earlier steps.';
    const risk = { level: CATALOGUE.get(actionType)?.baseRisk ?? 'high', reasons: [rule] };
    const explained = { verdict: 'ask', rule, risk, target: null, details: `${rule} Nothing was done.` } as const;
    return openRefusal(step) ?? { id, actionType, ...explained };
  }
  const sight = sightOf(device.id);
  const explained = explain({ ...named, checked, sight }, device, { rules, missingPermissions: [] });
  if (isRefusal(explained)) return explained;
  const { verdict, rule, risk, target, details } = explained;
  const lost = isRefusal(checked) ? undefined : seenIn(sight, checked.references).lost;
  // Which windows there are is not for every caller.
  const missing = lost === undefined || lost.reference.kind === 'window' ? {} : { missing: visible(lost.message) };
  return { id, actionType, verdict, rule, risk, target, ...missing, details };
}
