import { hash } from 'node:crypto';
import type { ResolvedPath } from '../../contract/files.ts';
import type { Target } from '../../contract/targets.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { filesIn, isWithin } from '../../domain/catalogue/file-target.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { GRANT_LIFE } from '../../domain/grant.ts';
import { promptStatusOf } from '../../domain/persons-answer.ts';
import { type ProcedureOfTask, stepFlaw } from '../../domain/procedures/cover.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { PlanConfirmation, PlanHead } from '../../store/records/confirmations.ts';
import type { PlanStepRow } from '../../store/records/plan-steps.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Admitted } from '../actions/admission.ts';
import { heldDenial } from '../actions/cancellation.ts';
import { ALLOWED_LASTS_MS } from '../actions/dispatch.ts';
import type { Context } from '../context.ts';
import { newNonce, waitingTimes } from './expiry.ts';
import { createPlanEndings, type End, isInForce } from './plan-endings.ts';
import { planRisk } from './plan-risk.ts';

/**
 * Called inside the transaction that ends a plan's prompt, or its approval; the returned function is called after the
 * commit.
 */
type PlanObserver = (
  plan: PlanConfirmation,
  end: Pick<End, 'end' | 'because' | 'error'>,
  atMs: number,
) => (() => void) | undefined;

/**
 * How the plan of a task covers a step. `alone`: the step is asked for by itself. `waits`: the plan has no answer yet. Otherwise
 * the plan was allowed, or it has just become void, which has changed the task.
 */
export type PlanCover =
  | { kind: 'alone' | 'waits' | 'voided' }
  | { kind: 'allowed'; planId: string; readySinceMs: number }
  /** By the approval of the procedure that its task runs. */
  | { kind: 'granted'; grantId: string; rule: string };

const ALONE: PlanCover = { kind: 'alone' };

type Parts = {
  policyVersion(): string;
  expiryMs(): number;
  heldUntilMs(): number;
  /** Whether the person has just denied the same, and may still undo that. */
  isDenialHeld(userId: string, digests: { digest: string; targetDigest: string }): boolean;
};

/** A plan in force, and one of its steps as it was asked about and as it is. */
type Standing = { task: TaskRow; step: StepRow; plan: PlanHead; covered: PlanStepRow };

type Allowed = Pick<Parts, 'heldUntilMs'> & { task: TaskRow; step: StepRow; plan: PlanHead; isSpent: boolean };

/** A step as its task was accepted: its assessment, if its parameters were known then, and its parameters as canonical JSON. */
export type AskedStep = { byName: Assessment | undefined; arguments(): string };

/** `steps` in the order of the task. */
type WaitingPlan = { steps: readonly AskedStep[]; ended(): void };

export type Plans = ReturnType<typeof createPlans>;

/**
 * Whether another file, or the same with other contents, lies at a path of a step than at the time its plan was asked about: the path is
 * the same, and a requester may have moved another one there or written into it. What other steps of the task make, move or write there is
 * no swap, since the plan shows them.
 */
function hasSwappedPath(
  { steps }: Pick<TaskRow, 'steps'>,
  { id, targets }: Pick<StepRow, 'id' | 'targets'>,
  now: readonly Target[],
): boolean {
  const changing = steps.filter((other) => other.id !== id && other.effectClass !== 'pure');
  const changed = changing.flatMap((other) => filesIn(other.targets));
  const asked = new Map(filesIn(targets).map((file) => [file.path, file]));
  return filesIn(now).some((file) => {
    const before = asked.get(file.path);
    const isSwapped = before !== undefined && !(isSame(before, file) && isUnchanged(before, file));
    return isSwapped && !changed.some((place) => isWithin(file.realPath, place.realPath));
  });
}

/** Nothing at both times is the same, too. */
function isSame({ identity: one }: ResolvedPath, { identity: other }: ResolvedPath): boolean {
  return one?.device === other?.device && one?.inode === other?.inode; // guard F16-1
}

function isUnchanged(one: ResolvedPath, other: ResolvedPath): boolean {
  return one.sizeBytes === other.sizeBytes && one.changedNs === other.changedNs; // guard F16-2
}

/**
 * One approval for the whole plan of a task. It is asked for once, spent step by step, and void as soon as anything about the plan
 * has changed.
 */
export function createPlans(context: Context, parts: Parts) {
  const { store, clock } = context;
  const waiting = new Map<string, WaitingPlan>();
  let observe: PlanObserver = () => undefined;

  function told(planId: string): void {
    const prompt = waiting.get(planId);
    waiting.delete(planId);
    prompt?.ended();
  }

  /** Ends a plan's prompt or its approval; only inside a write transaction. */
  function endWithin(plan: PlanConfirmation, by: End, atMs: number): () => void {
    const followUp = observe(plan, recordEnd(context, plan, by, atMs), atMs);
    // The task takes its new state in first: without the prompt a step may begin at once, and changes the task.
    return () => {
      followUp?.();
      told(plan.id);
    };
  }

  function end(plan: PlanConfirmation, by: End): void {
    store.write('durable', () => endWithin(plan, by, clock.nowMs()))();
  }

  /** Why a standing plan is good for nothing more, now that it is the turn of one of its steps. */
  function flawOf({ task, step, plan, covered }: Standing, now: Admitted): string | undefined {
    if (plan.policyVersion !== parts.policyVersion()) return `the step ${step.id} is not what was asked about`;
    const because = stepFlawOf({ task, step, covered }, now);
    if (because !== undefined) return because;
    if (hasSwappedPath(task, step, now.targets))
      return `another file, or other contents, are at a path of the step ${step.id}`;
    const { userId, decidedAtMs } = plan;
    if (decidedAtMs === undefined) return undefined;
    if (clock.nowMs() - decidedAtMs >= GRANT_LIFE.task.lastsMs) return 'it was allowed eight hours ago';
    return takenBackSince(userId, decidedAtMs, now);
  }

  function stepFlawOf({ task, step, covered }: Omit<Standing, 'plan'>, now: Admitted): string | undefined {
    if (task.procedure !== undefined) {
      const of = { id: step.id, approved: covered.riskLevel };
      return stepFlaw(task.procedure, of, { ...now, nowMs: clock.nowMs() });
    }
    const isAsAsked = covered.digest === now.digest && isAtLeast(covered.riskLevel, now.assessment.risk.level); // guard E2-21
    return isAsAsked ? undefined : `the step ${step.id} is not what was asked about`;
  }

  /** The later word of the person holds. */
  function takenBackSince(userId: string, sinceMs: number, { assessment, ...now }: Admitted): string | undefined {
    const digests = { digest: now.digest, targetDigest: now.targetDigest() };
    const wasDenied = store.confirmations.wasDeniedAfter(userId, digests.targetDigest, sinceMs); // guard A29-2
    if (wasDenied || parts.isDenialHeld(userId, digests)) return 'the person denied it since'; // guard A29-3
    const isAccess = assessment.asksAccess !== undefined; // guard A29-1
    return isAccess && store.grants.wasRevokedAfter(userId, requestAccess.name, sinceMs)
      ? 'the person took an access back since'
      : undefined;
  }

  function madeVoid({ taskId }: PlanHead, because: string): PlanCover {
    const plan = store.confirmations.findByTask(taskId);
    if (plan !== undefined) end(plan, { end: 'voided', because });
    return { kind: 'voided' };
  }

  return {
    /** Lets one other part of the services record what follows for the task, in the same transaction. */
    observedBy(observer: PlanObserver): void {
      observe = observer;
    },
    /** Keeps the steps of a prompt while it waits, and calls back once when it has ended. */
    watch: (planId: string, prompt: WaitingPlan): void => void waiting.set(planId, prompt),
    stepsOf: (planId: string): readonly AskedStep[] => waiting.get(planId)?.steps ?? [],
    end,
    /** Stores the prompt for a task that has just been stored; only inside that transaction. */
    insert(task: TaskRow, steps: PlanStepRow[]): PlanConfirmation {
      const plan = newPlan(context, { task, steps, ...parts });
      store.confirmations.insert(plan);
      store.journal.append(plan.createdAtMs, { kind: 'task.plan_asked', ...idsOf(plan), metadata: askedFacts(plan) });
      return plan;
    },
    /** Whether the plan lets a step through as it is now. A step that is not as it was asked about makes the plan void. */
    coverOf(task: TaskRow, step: StepRow, now: Admitted): PlanCover {
      const found = step.asks ? store.confirmations.findStepOfTask(task.id, step.id) : undefined;
      if (found === undefined || found.step.consent !== 'asked' || !isInForce(found.plan)) return ALONE;
      const { plan, step: covered } = found;
      const because = flawOf({ task, step, plan, covered }, now);
      if (because !== undefined) return madeVoid(plan, because);
      if (plan.status === 'pending') return step.actionId === undefined ? { kind: 'waits' } : ALONE;
      if (task.procedure !== undefined) store.confirmations.bindStep(plan.id, step.id, now.digest);
      return coverOfAllowed(context, { task, step, plan, isSpent: covered.consumedAtMs !== undefined, ...parts });
    },
    /** Whether the approval of the procedure that a task runs lets a step of it through as it is now. Any other step asks by itself. */
    coverOfProcedure(of: ProcedureOfTask, step: StepRow, now: Admitted & { userId: string }): PlanCover {
      const grant = of.grantId === undefined ? undefined : store.grants.findLive(of.grantId, clock.nowMs());
      const most = of.most[step.id];
      if (grant === undefined || most === undefined || (step.effectClass === 'once' && step.attempts > 0)) return ALONE;
      const approved = isAtLeast(step.risk.level, most) ? most : step.risk.level;
      const flaw =
        stepFlaw(of, { id: step.id, approved }, { ...now, nowMs: clock.nowMs() }) ??
        takenBackSince(now.userId, grant.createdAtMs, now);
      return flaw === undefined
        ? { kind: 'granted', grantId: grant.id, rule: `A grant lets it through: ${grant.literal}` }
        : ALONE;
    },
    /** Withdraws the prompt when no step waits for its answer; only inside the transaction that changes the task. */
    closeIfMoot(task: TaskRow, atMs: number): (() => void) | undefined {
      if (!task.steps.some(({ asks }) => asks)) return undefined;
      const plan = store.confirmations.findByTask(task.id);
      if (plan?.status !== 'pending' || awaitedSteps(task, plan).length > 0) return undefined;
      recordEnd(context, plan, { end: 'withdrawn' }, atMs);
      return () => told(plan.id);
    },
    ...createPlanEndings(context, { end, ...parts }),
  };
}

/** Whether the answer to the plan is still to come for a step. */
export function isAwaited({ store }: Context, taskId: string, stepId: string): boolean {
  const plan = store.confirmations.findStepOfTask(taskId, stepId)?.plan;
  return plan?.status === 'pending' && isInForce(plan);
}

/**
 * Since when a step of an allowed plan could have been sent. Nothing after two minutes, or when its last attempt was not sent in
 * time. Such a step asks by itself: its requester must not choose a later moment by filling the places.
 */
function readySinceMs(
  { store, clock }: Context,
  { task, step, plan, heldUntilMs }: { task: TaskRow; step: StepRow; plan: PlanHead; heldUntilMs: number },
): number | undefined {
  const { dependsOn, retryAtMs = 0, actionId } = step;
  const ends = task.steps.filter(({ id }) => dependsOn.includes(id)).map(({ finishedAtMs = 0 }) => finishedAtMs);
  const sinceMs = Math.max(plan.decidedAtMs ?? 0, retryAtMs, heldUntilMs, ...ends);
  if (clock.nowMs() - sinceMs >= ALLOWED_LASTS_MS) return undefined;
  const wasLate = actionId !== undefined && store.actions.findById(actionId)?.status === 'expired';
  return wasLate ? undefined : sinceMs;
}

function coverOfAllowed(context: Context, { isSpent, heldUntilMs, ...of }: Allowed): PlanCover {
  if (isSpent && of.step.effectClass === 'once') return ALONE;
  const sinceMs = readySinceMs(context, { ...of, heldUntilMs: heldUntilMs() });
  return sinceMs === undefined ? ALONE : { kind: 'allowed', planId: of.plan.id, readySinceMs: sinceMs };
}

/** The steps that a pending plan asks for and that have not begun without it. */
export function awaitedSteps(task: TaskRow, plan: PlanConfirmation): StepRow[] {
  const asked = new Set(plan.steps.filter(({ consent }) => consent === 'asked').map(({ stepId }) => stepId));
  const isOpen = ({ status, actionId }: StepRow) =>
    actionId === undefined && (status === 'pending' || status === 'awaiting_confirmation');
  return task.steps.filter((step) => asked.has(step.id) && isOpen(step));
}

/**
 * SHA-256 over the canonical form (RFC 8785) of the steps that an approval would allow, with the user and the version of the
 * rules.
 */
export function planDigest(plan: Pick<PlanConfirmation, 'userId' | 'taskId' | 'policyVersion' | 'steps'>): string {
  const { userId, taskId, policyVersion } = plan;
  const steps = plan.steps
    .filter(({ consent }) => consent === 'asked')
    .map(({ stepId, digest, riskLevel, maxAttempts }) => ({ stepId, digest: digest ?? '', riskLevel, maxAttempts })); // guard E-3
  return hash('sha256', canonicalJson({ userId, taskId, policyVersion, steps }));
}

function newPlan(
  context: Context,
  by: { task: TaskRow; steps: PlanStepRow[]; policyVersion(): string; expiryMs(): number },
): PlanConfirmation {
  const { task, steps } = by;
  const subject = { userId: task.userId, taskId: task.id, policyVersion: by.policyVersion(), steps };
  return {
    kind: 'plan',
    id: context.newId('cnf'),
    ...subject,
    actionDigest: planDigest(subject),
    nonce: newNonce(),
    status: 'pending',
    ...waitingTimes(context, by.expiryMs()),
  };
}

/** Records how a plan ends, and answers it: with the denial of the person if one is held, otherwise as given. */
function recordEnd(context: Context, plan: PlanConfirmation, given: End, atMs: number): End {
  const held = heldDenial(context, plan);
  const by: End = held === undefined ? given : { end: 'denied', because: held.details, heldMs: held.heldMs };
  const { end, because, presence, heldMs = 0 } = by;
  const { confirmations } = context.store;
  if (plan.status === 'pending') {
    if (!confirmations.decide(plan.id, { status: promptStatusOf(end), atMs: atMs - heldMs, presence }))
      throw new Error(`the plan ${plan.id} was pending and could not be answered`);
  }
  if (end === 'voided' && !confirmations.makeVoid(plan.id, atMs))
    throw new Error(`the plan ${plan.id} was void before`);
  const metadata = {
    taskId: plan.taskId,
    because,
    ...(heldMs > 0 && { heldMs }),
    ...(end === 'allowed' ? { scope: 'once', presence: presence ?? null, waitedMs: atMs - plan.createdAtMs } : {}),
  };
  context.store.journal.append(atMs, { kind: `task.plan_${end}`, ...idsOf(plan), metadata });
  return by;
}

function askedFacts(plan: PlanConfirmation) {
  const asked = plan.steps.filter(({ consent }) => consent === 'asked');
  return {
    taskId: plan.taskId,
    digest: plan.actionDigest,
    risk: planRisk(plan),
    steps: asked.map(({ stepId }) => stepId),
    types: asked.map(({ actionType }) => actionType),
  };
}

function idsOf({ id: confirmationId, userId }: PlanConfirmation) {
  return { userId, confirmationId };
}
