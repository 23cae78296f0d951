import type { Verdict } from '../../contract/action.ts';
import type { PlanConsent } from '../../contract/console.ts';
import { type ControlName, nameInId } from '../../contract/control-name.ts';
import type { FileInside, FolderInside } from '../../contract/files.ts';
import { keyOf, type LostTarget, type Target, type TargetReference, targetFor } from '../../contract/targets.ts';
import { MAX_TASK_BYTES, type StepSubmission, type TaskDryRun, type TaskSubmission } from '../../contract/task.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { USUAL_MS } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { targetByName } from '../../domain/procedures/words.ts';
import { type GraphFault, graphFaults, openFaults } from '../../domain/task-graph.ts';
import type { PlanStepRow } from '../../store/records/plan-steps.ts';
import type { StepRow } from '../../store/records/tasks.ts';
import { type Admitted, admit, mayActOn, type Rules } from '../actions/admission.ts';
import { invalidParameters, referencesOf } from '../actions/checked-action.ts';
import { explain } from '../actions/dry-run.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import type { AskedStep } from '../confirmations/plans.ts';
import type { MachineAgent } from '../machines/agents.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import { isFound, NOTHING, type Sight, seenIn, withoutContents } from '../targets/targets.ts';
import { nextTurn, type Slice } from '../work/turns.ts';
import type { CheckedCall, CheckedStep, TaskParts } from './checked-steps.ts';

const DEFAULT_BACKOFF_MS = 1_000;

type Parts = Pick<TaskParts, 'deviceOf' | 'rules' | 'confirmations'>;

/** A step as it will be stored, and as the confirmation of the plan has it, if there is to be one. */
export type AcceptedStep = {
  row: StepRow;
  plan: PlanStepRow;
  /** The facts that the prompt of the plan shows, if there is to be one. */
  asked: AskedStep;
};

/** What was seen on the machine of a device. */
type SightOf = (deviceId: string) => Sight;

/**
 * Looks once at the targets of all steps, on each machine, for the prompt of the plan to show them. A step whose parameters come from
 * an earlier result is looked at when it is its turn.
 */
export async function sightOfTask(
  { userId, steps, procedure }: Pick<CheckedCall, 'userId' | 'steps' | 'procedure'>,
  { agents, deviceOf }: Pick<SubmissionParts, 'agents' | 'deviceOf'>,
): Promise<SightOf> {
  const sights = new Map<MachineAgent, Sight>();
  // A task that names a device of another requester is refused, and looks at nothing there.
  const named = new Set(steps.map(({ step }) => step.targetDeviceId));
  const own = new Set([...named].filter((deviceId) => !isRefusal(deviceOf(userId, deviceId))));
  const looked = steps.filter(({ step }) => own.has(step.targetDeviceId));
  for (const [agent, there] of Map.groupBy(looked, ({ step }) => agents.of(step.targetDeviceId))) {
    const found = there.flatMap(({ checked }) => referencesOf(checked, { displays: agent.displays() }));
    const names = procedure === undefined ? [] : namesIn(found);
    const references =
      procedure === undefined ? found : [...found.filter((each) => !isName(each)), ...names.map(appOf)];
    if (references.length === 0) continue;
    const sight = await agent.targets.sight(references, userId);
    await nextTurn(userId);
    sights.set(agent, new Map([...sight, ...names.map((name) => asNamed(name, sight))]));
  }
  return (deviceId) => sights.get(agents.of(deviceId)) ?? NOTHING;
}

function isName(reference: TargetReference): boolean {
  return namesIn([reference]).length > 0;
}

function namesIn(references: readonly TargetReference[]): ControlName[] {
  return references.flatMap((reference) => (reference.kind === 'element' ? (nameInId(reference.elementId) ?? []) : []));
}

function appOf({ app }: ControlName): TargetReference {
  return { kind: 'app', name: app };
}

/** A control as its name alone tells of it: a procedure is judged and approved by that, before its windows are there. */
function asNamed(name: ControlName, sight: Sight): [string, Target] {
  const found = targetFor([...sight.values()].filter(isFound), appOf(name));
  const target = targetByName(name, found?.kind === 'app' ? found.app : undefined);
  return [keyOf(target), target];
}

/** The submission of a task whose targets were looked at. */
export type SightedCall = CheckedCall & { sightOf: SightOf };

type Budgeted = { rules: Rules; sightOf: SightOf };

/** So many characters of contents of files are kept for the prompt of one plan. */
const MOST_PLAN_CONTENTS = 512 * 1024;

/**
 * The rules and the sight for the steps of one task. A plan that waits keeps the contents of files that its prompt shows, and a
 * hundred steps may name large ones. Beyond the budget contents count as not known: such a step is of a higher risk, and asks again at
 * its turn.
 */
export function withContentsBudget({ rules, sightOf }: Budgeted): Budgeted {
  let left = MOST_PLAN_CONTENTS;

  function isWithinBudget(inside: FileInside | FolderInside): boolean {
    left -= 'text' in inside ? inside.text.length : inside.names.reduce((sum, name) => sum + name.length + 1, 0);
    return left >= 0;
  }

  function limited(target: Target | LostTarget): Target | LostTarget {
    if (target.kind !== 'path' || target.file.inside === undefined || isWithinBudget(target.file.inside)) return target;
    return withoutContents(target);
  }

  const sights = new Map<Sight, Sight>();

  function limitedSight(sight: Sight): Sight {
    const known = sights.get(sight);
    if (known !== undefined) return known;
    const made = new Map([...sight].map(([key, target]) => [key, limited(target)]));
    sights.set(sight, made);
    return made;
  }

  return {
    sightOf: (deviceId) => limitedSight(sightOf(deviceId)),
    rules: {
      ...rules,
      artifactOf(userId, artifactId) {
        const contents = rules.artifactOf(userId, artifactId);
        return contents !== undefined && isWithinBudget(contents) ? contents : undefined;
      },
    },
  };
}

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
    if (slice.isOver()) await slice.next(); // guard D4-3
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
function openRefusal({ actionType, parameters }: StepSubmission): Refusal | undefined {
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

type DryRunTaskParts = Pick<TaskParts, 'deviceOf' | 'rules' | 'agents' | 'confirmations'>;

type Explained = TaskDryRun['steps'][number];

/** The verdict on each step, with its target as the agent finds it now, or the refusal of the whole task. */
export async function dryRunTask(
  call: CheckedCall,
  slice: Slice,
  parts: DryRunTaskParts,
): Promise<TaskDryRun | Refusal> {
  const fault = faultOf(call.body);
  if (fault !== undefined) return fault;
  const { userId, steps: all, procedure } = call;
  const looked = all.filter(({ step }) => mayActOn(parts.agents.of(step.targetDeviceId).machine, userId, parts.rules)); // guard N55-5
  const sightOf = await sightOfTask({ userId, steps: looked }, parts);
  const isApproved = procedure?.grantId !== undefined;
  const byName = isApproved ? await sightOfTask({ userId, steps: looked, procedure }, parts) : sightOf;
  const coverOf = (step: CheckedStep, admitted: Admitted): string | undefined => {
    const accepted = isApproved ? acceptStep(step, { ...parts, sightOf: byName, isApproved }) : undefined;
    if (procedure === undefined || accepted === undefined || isRefusal(accepted)) return undefined;
    const cover = parts.confirmations.plans.coverOfProcedure(procedure, accepted.row, { ...admitted, userId });
    return cover.kind === 'granted' ? cover.rule : undefined;
  };
  const steps = await allOf(call.steps, slice, (step) => explainStep(step, { ...parts, sightOf, coverOf }));
  return isRefusal(steps) ? steps : { dryRun: true, steps };
}

type Explaining = DryRunTaskParts & {
  sightOf: SightOf;
  /** The rule by which the approval of the procedure lets a step through that would ask. */
  coverOf(step: CheckedStep, admitted: Admitted): string | undefined;
};

function explainStep(checkedStep: CheckedStep, { deviceOf, rules, sightOf, coverOf }: Explaining): Explained | Refusal {
  const { step, named, checked } = checkedStep;
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
  const explained = explain({ ...named, checked, sight }, device, {
    rules,
    missingPermissions: [],
    coverOf: (admitted) => coverOf(checkedStep, admitted),
  });
  if (isRefusal(explained)) return explained;
  const { verdict, rule, risk, target, details } = explained;
  const lost = isRefusal(checked) ? undefined : seenIn(sight, checked.references).lost;
  // Which windows there are is not for every caller.
  const missing = lost === undefined || lost.reference.kind === 'window' ? {} : { missing: visible(lost.message) };
  return { id, actionType, verdict, rule, risk, target, ...missing, details };
}
