import type { Verdict } from '../../contract/action.ts';
import type { PlanConsent } from '../../contract/console.ts';
import { MAX_TASK_BYTES, type StepSubmission, type TaskSubmission } from '../../contract/task.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { USUAL_MS } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { type GraphFault, graphFaults, openFaults } from '../../domain/task-graph.ts';
import type { PlanStepRow } from '../../store/records/plan-steps.ts';
import type { StepRow } from '../../store/records/tasks.ts';
import { type Admitted, admit } from '../actions/admission.ts';
import { invalidParameters } from '../actions/checked-action.ts';
import type { AskedStep } from '../confirmations/plans.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import type { Slice } from '../work/turns.ts';
import type { CheckedCall, CheckedStep } from './checked-steps.ts';
import { withContentsBudget } from './contents-budget.ts';
import type { TaskParts } from './task-parts.ts';
import type { SightOf } from './task-sight.ts';

const DEFAULT_BACKOFF_MS = 1_000;

type Parts = Pick<TaskParts, 'deviceOf' | 'rules' | 'confirmations'>;

/** A step as it will be stored, and as the confirmation of the plan has it, if there is to be one. */
export type AcceptedStep = {
  row: StepRow;
  plan: PlanStepRow;
  /** The facts that the prompt of the plan shows, if there is to be one. */
  asked: AskedStep;
};

/** The submission of a task whose targets were looked at. */
export type SightedCall = CheckedCall & { sightOf: SightOf };

/** The steps of a task, or why the whole task is refused. */
export async function acceptSteps(
  { steps, sightOf, procedure }: SightedCall,
  slice: Slice,
  parts: Parts,
): Promise<AcceptedStep[] | Refusal> {
  const limited = withContentsBudget({ rules: parts.rules, sightOf });
  return allOf(steps, slice, (step) =>
    acceptStep(step, { ...parts, ...limited, isApproved: procedure?.grantId !== undefined }),
  );
}

/** The work's result for every step, or the first refusal, which names its step and place. Done in slices. */
export async function allOf<Made>(
  steps: readonly CheckedStep[],
  slice: Slice,
  work: (step: CheckedStep) => Made | Refusal,
): Promise<Made[] | Refusal> {
  const made: Made[] = [];
  for (const [index, step] of steps.entries()) {
    const one = work(step);
    if (isRefusal(one)) return atStep(one, index, step.step);
    made.push(one);
    if (slice.isOver()) await slice.next();
  }
  return made;
}

function atStep(refusal: Refusal, index: number, step: StepSubmission): Refusal {
  const { errors } = refusal;
  const placed = errors?.map(({ pointer, message }) => ({ pointer: `/steps/${index}${pointer}`, message }));
  return {
    ...refusal,
    detail: `Step "${step.id}": ${refusal.detail}`,
    errors: placed ?? [{ pointer: `/steps/${index}`, message: refusal.detail }],
    facts: { ...refusal.facts, stepId: step.id },
  };
}

/** A graph of a hundred steps can have thousands of faults. */
const MOST_FAULTS = 20;

/** Why a task is refused before its steps are looked at, if so. */
export function faultOf({ steps }: TaskSubmission): Refusal | undefined {
  const faults = graphFaults(
    steps.map((step) => ({ ...step, effectClass: CATALOGUE.get(step.actionType)?.effectClass })),
  );
  const [first] = faults;
  const more = faults.length - MOST_FAULTS;
  if (first === undefined) return sizeFault(steps);
  return {
    refused: first.fault === 'too_many_steps' ? 'task_too_large' : 'task_graph_invalid',
    detail: `Nothing of the task was taken: ${first.message}.${more > 0 ? ` The first ${MOST_FAULTS} faults are listed, and there are ${more} more.` : ''}`,
    errors: faults.slice(0, MOST_FAULTS).map(({ pointer, message }: GraphFault) => ({ pointer, message })),
    facts: { fault: first.fault, ...(more > 0 && { moreErrors: more }) },
  };
}

/** Numbers may take more room as they are stored than as they were sent (1e20), so the limit of the body is not enough. */
function sizeFault(steps: readonly StepSubmission[]): Refusal | undefined {
  const sizeBytes = Buffer.byteLength(JSON.stringify(steps));
  if (sizeBytes <= MAX_TASK_BYTES) return undefined;
  const message = `the steps of a task may have ${MAX_TASK_BYTES} bytes (256 KiB) as JSON; these have ${sizeBytes}`;
  return {
    refused: 'task_too_large',
    detail: `Nothing of the task was taken: ${message}. Send it as several tasks, or with shorter parameters.`,
    errors: [{ pointer: '/steps', message }],
    facts: { fault: 'too_many_bytes', sizeBytes, maxBytes: MAX_TASK_BYTES },
  };
}

type Accepting = Parts & { sightOf: SightOf; isApproved: boolean };

function acceptStep({ step, named, checked }: CheckedStep, parts: Accepting): AcceptedStep | Refusal {
  const device = parts.deviceOf(named.userId, step.targetDeviceId);
  if (isRefusal(device)) return device;
  const admitted =
    checked === 'open'
      ? openRefusal(step)
      : admit({ ...named, checked, sight: parts.sightOf(device.id) }, device, parts.rules);
  if (isRefusal(admitted)) return admitted;
  const risk = admitted?.assessment.risk ?? {
    level: CATALOGUE.get(step.actionType)?.baseRisk ?? 'high',
    reasons: ['Its parameters are known when the steps before it have ended.'],
  };
  const maxAttempts = step.retry?.maxAttempts ?? 1;
  const wish = consentFor(named, admitted, parts);
  // Nobody is asked about a target that is not there. The step asks by itself when it is its turn, or fails then.
  // The steps of an approved procedure are compared with its approval at their turn.
  const isLater = wish === 'asked' && (admitted?.lost !== undefined || parts.isApproved);
  const consent = isLater ? 'later' : wish;
  const { id: stepId, actionType } = step;
  // A window that nobody was told about is looked at when it is the step's turn.
  const targets = admitted?.targets.filter(({ kind }) => kind !== 'window' || consent === 'asked');
  return {
    row: rowOf(step, {
      deviceId: device.id,
      maxAttempts,
      risk,
      verdict: admitted?.judgement.verdict ?? 'ask',
      targets,
    }),
    plan: {
      stepId,
      consent,
      actionType,
      digest: admitted?.digest,
      targetDigest: consent === 'asked' ? admitted?.targetDigest() : undefined,
      riskLevel: risk.level,
      maxAttempts,
    },
    asked: {
      byName: admitted?.byName,
      arguments: admitted?.checked.arguments ?? (() => canonicalJson(step.parameters)),
    },
  };
}

/** The faults that a step which is judged at its turn has already. */
export function openRefusal({ actionType, parameters }: StepSubmission): Refusal | undefined {
  const definition = CATALOGUE.get(actionType);
  const faults = definition === undefined ? [] : openFaults(definition.parameters, definition.read(parameters));
  return definition === undefined || faults.length === 0 ? undefined : invalidParameters(definition, faults);
}

/** Whether the plan as a whole asks for a step. A step that repeats a recent denial is not asked about again. */
function consentFor({ userId }: Submission, admitted: Admitted | undefined, { confirmations }: Parts): PlanConsent {
  if (admitted === undefined) return 'later';
  switch (admitted.judgement.verdict) {
    case 'allow':
      return 'none';
    case 'block':
      return 'blocked';
    case 'ask':
      return confirmations.wasJustDenied(userId, admitted) ? 'denied' : 'asked';
  }
}

function rowOf(
  step: StepSubmission,
  judged: Pick<StepRow, 'deviceId' | 'maxAttempts' | 'risk' | 'targets'> & { verdict: Verdict },
): StepRow {
  const { verdict, ...known } = judged;
  const definition = CATALOGUE.get(step.actionType);
  return {
    id: step.id,
    ...known,
    actionType: step.actionType,
    parameters: step.parameters,
    dependsOn: [...new Set(step.dependsOn)],
    runIf: step.runIf ?? 'success',
    timeoutMs: step.timeoutMs ?? definition?.usualTimeoutMs(step.parameters) ?? USUAL_MS,
    backoffMs: step.retry?.backoffMs ?? DEFAULT_BACKOFF_MS,
    effectClass: definition?.effectClass ?? 'once',
    asks: verdict === 'ask',
    status: 'pending',
    attempts: 0,
    recoveries: 0,
  };
}
