import type { Verdict } from '../../contract/action.ts';
import type { PlanConsent } from '../../contract/console.ts';
import { MAX_TASK_BYTES, type StepSubmission, type TaskSubmission } from '../../contract/task.ts';
import type { ActionDefinition } from '../../domain/catalogue/definition.ts';
import { USUAL_MS } from '../../domain/catalogue/definition.ts';
import { openFaults } from '../../domain/catalogue/open-parameters.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { type GraphFault, graphFaults } from '../../domain/task-graph.ts';
import { referencesIn } from '../../domain/task-references.ts';
import type { PlanStepRow } from '../../store/records/plan-steps.ts';
import type { StepRow } from '../../store/records/tasks.ts';
import { type Admitted, admit, invalidParameters } from '../actions/admission.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import type { WindowAnswer } from '../agent/window-resolution.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, TaskCall } from '../services.ts';
import type { Slice } from '../work/sliced-work.ts';

const DEFAULT_BACKOFF_MS = 1_000;

type Parts = Pick<SubmissionParts, 'deviceOf' | 'rules' | 'confirmations'>;

/** A step as it will be stored, and as the confirmation of the plan has it, if there is to be one. */
export type AcceptedStep = {
  row: StepRow;
  plan: PlanStepRow;
  /** The window that it names and that is still to be looked up, for the person to be asked about it. */
  windowId?: string | undefined;
};

/** The agent's answers about windows, by the id that steps name. */
export type Windows = ReadonlyMap<string, WindowAnswer>;

const NONE_LOOKED_UP: Windows = new Map();

/** The steps of a task, or why the whole task is refused. */
export async function acceptSteps(
  { userId, body: task }: TaskCall,
  slice: Slice,
  parts: Parts & { windows?: Windows },
): Promise<AcceptedStep[] | Refusal> {
  const fault = faultOf(task);
  if (fault !== undefined) return fault;
  const { windows = NONE_LOOKED_UP } = parts;
  const accept = (step: StepSubmission) => acceptStep(submissionOf(userId, task, step), step, { ...parts, windows });
  return allOf(task.steps, slice, accept);
}

/** The work's result for every step, or the first refusal, which names its step and place. Done in slices. */
export async function allOf<Made>(
  steps: readonly StepSubmission[],
  slice: Slice,
  work: (step: StepSubmission) => Made | Refusal,
): Promise<Made[] | Refusal> {
  const made: Made[] = [];
  for (const [index, step] of steps.entries()) {
    const one = work(step);
    if (isRefusal(one)) return atStep(one, index, step);
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
  const message = `the steps of a task may have ${MAX_TASK_BYTES} bytes (1 MiB) as JSON; these have ${sizeBytes}`;
  return {
    refused: 'task_too_large',
    detail: `Nothing of the task was taken: ${message}. Send it as several tasks, or with shorter parameters.`,
    errors: [{ pointer: '/steps', message }],
    facts: { fault: 'too_many_bytes', sizeBytes, maxBytes: MAX_TASK_BYTES },
  };
}

/** A step as the submission of an action. */
export function submissionOf(userId: string, task: TaskSubmission, step: StepSubmission): Submission {
  const { actionType, targetDeviceId, parameters } = step;
  return {
    userId,
    body: { actionType, targetDeviceId, parameters, ...(task.profile === undefined ? {} : { profile: task.profile }) },
    gone: new AbortController().signal,
  };
}

function acceptStep(
  named: Submission,
  step: StepSubmission,
  { windows, ...parts }: Parts & { windows: Windows },
): AcceptedStep | Refusal {
  const submission = withWindow(named, windows);
  const device = parts.deviceOf(submission.userId, step.targetDeviceId);
  if (isRefusal(device)) return device;
  const definition = openDefinition(step);
  const admitted = definition === undefined ? admit(submission, device, parts.rules) : openRefusal(definition, step);
  if (isRefusal(admitted)) return admitted;
  const risk = admitted?.assessment.risk ?? {
    level: definition?.baseRisk ?? 'high',
    reasons: ['Its parameters are known when the steps before it have ended.'],
  };
  const maxAttempts = step.retry?.maxAttempts ?? 1;
  const wish = consentFor(submission, admitted, parts);
  // Nobody is asked about a window that is not known. The step asks by itself when it is its turn, or fails then.
  const isUnknown = wish === 'asked' && admitted?.assessment.windowId !== undefined && admitted.window === undefined;
  const consent = isUnknown ? 'later' : wish;
  const { id: stepId, actionType } = step;
  const window = consent === 'asked' ? admitted?.window : undefined;
  return {
    row: rowOf(step, {
      deviceId: device.id,
      maxAttempts,
      risk,
      verdict: admitted?.judgement.verdict ?? 'ask',
      window,
      files: admitted?.files,
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
    windowId: isUnknown ? admitted?.assessment.windowId : undefined,
  };
}

function withWindow(submission: Submission, windows: Windows): Submission {
  const { windowId } = submission.body.parameters;
  const window = typeof windowId === 'string' ? windows.get(windowId) : undefined;
  return window === undefined ? submission : { ...submission, window };
}

/** The definition of a step that refers to results that are not there yet: it is judged when it is its turn. */
export function openDefinition({ actionType, parameters }: StepSubmission): ActionDefinition | undefined {
  return referencesIn(parameters).length > 0 ? CATALOGUE.get(actionType) : undefined;
}

/** The faults that a step which is judged later has already. */
export function openRefusal(definition: ActionDefinition, { parameters }: StepSubmission): Refusal | undefined {
  const faults = openFaults(definition.parameters, parameters);
  return faults.length === 0 ? undefined : invalidParameters(definition, faults);
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
  judged: Pick<StepRow, 'deviceId' | 'maxAttempts' | 'risk' | 'window' | 'files'> & { verdict: Verdict },
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
