import { keyOf } from '../../contract/targets.ts';
import { isLargerThan } from '../../domain/canonical-json.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { ancestorsOf, parseReference, referencesIn, resolveReferences } from '../../domain/task-graph.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Admitted, SightedSubmission } from '../actions/admission.ts';
import { createBegin, judged, tooManyPending } from '../actions/submission.ts';
import type { PlanCover } from '../confirmations/plans.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import type { Sight } from '../targets/targets.ts';
import type { StepChecks, TaskParts } from './checked-steps.ts';
import type { LiveTasks } from './live-tasks.ts';
import { afterAttempt, afterChange, withStep } from './step-changes.ts';
import { MOST_RESOLVED_BYTES, type StepResults } from './step-results.ts';
import type { StepSights } from './step-sights.ts';

/** The parameters of a step with its references resolved, and why they cannot be taken for the caller's own, if so. */
type Resolved = { parameters: Record<string, unknown>; taint: string | undefined };

/** Where a reference leads to: the step, and the path in its result. */
type Place = { source: StepRow; path: string };

/**
 * Takes from the results of earlier steps what a step refers to. `unread`: some results are not read yet. The next slice goes on,
 * because this one is over or the next result is large.
 */
function resolveParameters(
  results: StepResults,
  { task, step, isOver }: { task: TaskRow; step: StepRow; isOver(): boolean },
): Resolved | Refusal | 'unread' {
  const given = step.parameters ?? {};
  const references = referencesIn(given);
  if (references.length === 0) return { parameters: given, taint: undefined };
  const places = placesOf(references, task, step);
  if (!areRead(results, { task, places, isOver })) return 'unread';
  const find = (from: unknown) => {
    const place = places.get(from);
    return place && results.find(task, place.source, place.path);
  };
  const resolution = resolveReferences(given, find);
  if (!resolution.ok) return missingReference(resolution.missing);
  if (isLargerThan(resolution.value, MOST_RESOLVED_BYTES)) return tooLarge;
  const tainting = references.filter(({ from }) => {
    const [place, found] = [places.get(from), find(from)];
    return place === undefined || found === undefined || isForeign(place.source, found.value);
  });
  return { parameters: resolution.value as Record<string, unknown>, taint: taintOf(tainting) };
}

function placesOf(references: readonly { from: unknown }[], task: TaskRow, step: StepRow): Map<unknown, Place> {
  const ancestors = ancestorsOf(step.id, task.steps);
  const sources = new Map(task.steps.filter(({ id }) => ancestors.has(id)).map((source) => [source.id, source]));
  const stepIds = [...sources.keys()];
  const places = new Map<unknown, Place>();
  for (const from of new Set(references.map((reference) => reference.from))) {
    const reference = parseReference(from, stepIds);
    const source = reference && sources.get(reference.stepId);
    if (source !== undefined) places.set(from, { source, path: reference?.path.join('.') ?? '' });
  }
  return places;
}

type Reading = { task: TaskRow; places: ReadonlyMap<unknown, Place>; isOver(): boolean };

/** Reads the results that are still to be read, until the slice is over or a result is large. */
function areRead(results: StepResults, { task, places, isOver }: Reading): boolean {
  for (const [source, of] of Map.groupBy(places.values(), (place) => place.source)) {
    const paths = of.map(({ path }) => path);
    if (results.has(task, source, paths)) continue;
    if (results.hasToWait(task, source)) return false;
    results.read(task, source, paths);
    if (isOver()) return false;
  }
  return true;
}

/**
 * A value from a read may hold anything, and so may any text. Numbers and booleans from an action with an effect, such as
 * the id of a window it opened, are safe.
 */
function isForeign(source: StepRow, value: unknown): boolean {
  const isRead = CATALOGUE.get(source.actionType)?.effectClass === 'pure';
  return isRead || (typeof value !== 'number' && typeof value !== 'boolean');
}

function taintOf(references: readonly { from: unknown }[]): string | undefined {
  if (references.length === 0) return undefined;
  const names = references.map(({ from }) => String(from)).join(', ');
  return `Part of this step's parameters comes from the result of an earlier step (${names}), which may hold any text.`;
}

const tooLarge: Refusal = {
  refused: 'parameters_invalid',
  detail: `With what $from leads to, the parameters have more than ${MOST_RESOLVED_BYTES} bytes (64 KiB) as JSON. Refer to a smaller part of the result.`,
};

function missingReference(from: string): Refusal {
  return {
    refused: 'parameters_invalid',
    detail: `$from "${from}" leads to nothing: a step's result has status, details, effect and data, and this path is not in it.`,
  };
}

/**
 * Begins attempts of steps, by the same way as any other submission: judged now, under the rules of now. The action, its prompt
 * and the step that it belongs to are stored together. Answers why there is none, if so: it was refused, or waits for the answer
 * to the plan of its task. A step whose targets have to be looked at first does not begin now.
 */
export function createStepStart(context: Context, parts: TaskParts, { tasks, sights, results, checks }: Beside) {
  const begin = createBegin(context, parts);
  const { plans } = parts.confirmations;

  function coverOf(task: TaskRow, step: StepRow, admitted: Admitted): PlanCover {
    if (admitted.judgement.verdict !== 'ask') return { kind: 'alone' };
    // A program that reads the code before the person does gets the person's session.
    if (admitted.assessment.showsContents === true && parts.rules.isCodeGood()) return { kind: 'alone' };
    return task.procedure?.grantId === undefined
      ? plans.coverOf(task, step, admitted)
      : plans.coverOfProcedure(task.procedure, step, { ...admitted, userId: task.userId });
  }

  function beginStep(
    task: TaskRow,
    step: StepRow,
    submission: SightedSubmission,
    current: Current,
  ): Refusal | undefined {
    const obstacle = tooManyPending(submission, current.admitted.judgement.verdict, parts);
    if (obstacle !== undefined) return obstacle;
    let takeIn: (() => void) | undefined;
    begin(submission, {
      ...current,
      companion: {
        write(row) {
          takeIn = tasks.stage(task, withStep(task, afterBegin(task, step, row)), row.createdAtMs);
        },
        stored: () => takeIn?.(),
      },
    });
    return undefined;
  }

  return (task: TaskRow, step: StepRow, isOver: () => boolean): Refusal | NotNow | undefined => {
    const resolved = resolveParameters(results, { task, step, isOver });
    if (resolved === 'unread' || isRefusal(resolved)) return resolved;
    const submitted = submissionOf(task, step, resolved);
    const checked = checks.check(submitted.body);
    const sight = sights.take({
      taskId: task.id,
      stepId: step.id,
      userId: task.userId,
      deviceId: step.deviceId,
      checked,
      known: plannedWindows(step),
    });
    // The task is looked at again once the agent has looked.
    if (sight === undefined) return undefined;
    const submission = { ...submitted, checked, sight };
    const current = judged(submission, parts);
    if (isRefusal(current)) return current;
    const cover = coverOf(task, step, current.admitted);
    if (cover.kind === 'waits') return 'waits';
    // The task is another one now, and begins what may begin as it then is.
    if (cover.kind === 'voided') return undefined;
    const admitted =
      cover.kind === 'allowed' || cover.kind === 'granted' ? letThrough(current.admitted, cover) : current.admitted;
    return beginStep(task, step, submission, { ...current, admitted });
  };
}

/** It waits for the answer to the plan, or for the next slice, in which more results are read. */
type NotNow = 'waits' | 'unread';

type Beside = {
  tasks: LiveTasks;
  sights: StepSights;
  results: StepResults;
  checks: Pick<StepChecks, 'check'>;
};

/** The windows that the plan of its task told the person about. They stay; the agent refuses one that has changed. */
function plannedWindows({ targets = [] }: StepRow): Sight {
  return new Map(targets.filter(({ kind }) => kind === 'window').map((target) => [keyOf(target), target]));
}

type Current = { device: DeviceRow; admitted: Admitted };

/** An attempt that has failed before it was sent, because a target was not there, is tried again like any other. */
function afterBegin(task: TaskRow, step: StepRow, row: ActionRow): StepRow {
  const begun = afterAttempt(step, row);
  if (row.status !== 'failed') return begun;
  const by = { atMs: row.createdAtMs, endingSinceMs: undefined };
  const event = { kind: 'failed', attempt: row.attempt, sideEffect: 'none', effectClass: row.effectClass } as const;
  return afterChange(task, begun, { to: row, event, by });
}

function letThrough(admitted: Admitted, cover: Extract<PlanCover, { kind: 'allowed' | 'granted' }>): Admitted {
  if (cover.kind === 'granted')
    return { ...admitted, judgement: { verdict: 'allow', rule: cover.rule }, grantId: cover.grantId };
  const rule = 'The person allowed it with the plan of its task.';
  const { planId, readySinceMs } = cover;
  return { ...admitted, judgement: { verdict: 'allow', rule }, planId, readySinceMs };
}

function submissionOf(task: TaskRow, step: StepRow, { parameters, taint }: Resolved): Submission {
  return {
    userId: task.userId,
    body: {
      targetDeviceId: step.deviceId,
      actionType: step.actionType,
      parameters,
      timeoutMs: step.timeoutMs,
      reason: task.reason,
      profile: task.profile,
    },
    step: { taskId: task.id, stepId: step.id, taint },
    gone: NEVER_GONE,
  };
}

const NEVER_GONE = new AbortController().signal;
