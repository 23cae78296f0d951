import { isLargerThan } from '../../domain/canonical-json.ts';
import { referencesIn, valueAt } from '../../domain/task-graph.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import { LARGE_BYTES } from '../actions/large-data.ts';
import type { Context } from '../context.ts';

/** The most bytes of one step's resolved parameters as JSON: an action may have as many. */
export const MOST_RESOLVED_BYTES = 64 * 1024;
/** In place of a larger value: the parameters with it are as well too large. */
const TOO_LARGE = 'x'.repeat(MOST_RESOLVED_BYTES + 1);

/** The most bytes of JSON that are kept of one result. Beyond that, only the values for one step at a time are kept. */
const MOST_KEPT_OF_RESULT = 256 * 1024;
/** The most bytes that are kept for all tasks together. The 99 results that one step can refer to take less. */
const MOST_KEPT_BYTES = 32 * 1024 * 1024;

type Value = { value: unknown };
/** The values at the paths that `covered` has, from the result of one attempt. A path without a value is not in the result. */
type Part = { covered: ReadonlySet<string>; values: ReadonlyMap<string, Value>; bytes: number };
type Kept = Part & { actionId: string | undefined; hasData: boolean };
/** `announced` has the ids of steps whose large results are read in the next slice. */
type OfTask = { references: readonly string[]; bySource: Map<string, Kept>; bytes: number; announced: Set<string> };

export type StepResults = ReturnType<typeof createStepResults>;

/**
 * The values that the steps of a task take from results of earlier steps. A result may have megabytes. It is read and parsed once
 * for all steps that refer to it, and only the values they refer to are kept. They are kept until the task has ended or the store
 * has removed the result.
 */
export function createStepResults({ store }: Pick<Context, 'store'>) {
  /** In the order of use, the latest last. */
  const tasks = new Map<string, OfTask>();
  let keptBytes = 0;

  function ofTask(task: TaskRow): OfTask {
    const known = tasks.get(task.id) ?? newlyReferring(task);
    tasks.delete(task.id);
    tasks.set(task.id, known);
    return known;
  }

  function forget(taskId: string): void {
    keptBytes -= tasks.get(taskId)?.bytes ?? 0;
    tasks.delete(taskId);
  }

  function makeRoom(taskId: string): void {
    for (const other of tasks.keys()) {
      if (keptBytes <= MOST_KEPT_BYTES) return;
      if (other !== taskId) forget(other);
    }
  }

  return {
    /** Whether the values at these paths of the result of a step are known, without reading it. */
    has(task: TaskRow, source: StepRow, paths: readonly string[]): boolean {
      const kept = tasks.get(task.id)?.bySource.get(source.id);
      if (kept === undefined || kept.actionId !== source.actionId) return false;
      const isForgotten = kept.hasData && !store.actions.hasData(String(kept.actionId));
      return !isForgotten && paths.every((path) => kept.covered.has(path));
    },
    /** Whether a result has to wait for the next slice, since it is large: the turn in which it was stored has done enough. */
    hasToWait(task: TaskRow, source: StepRow): boolean {
      const { announced } = ofTask(task);
      if (announced.delete(source.id)) return false;
      const isLarge = store.actions.dataBytes(task.userId, source.actionId ?? '') > LARGE_BYTES;
      if (isLarge) announced.add(source.id);
      return isLarge;
    },
    /** Reads a result and parses it, for all steps of the task. */
    read(task: TaskRow, source: StepRow, paths: readonly string[]): void {
      const known = ofTask(task);
      const action = source.actionId === undefined ? undefined : store.actions.findById(source.actionId);
      const { status, details, effect, data } = action ?? {};
      const result = action && { status, details, effect, data };
      const prefix = `${source.id}.`;
      const all = known.references.flatMap((from) => (from.startsWith(prefix) ? from.slice(prefix.length) : []));
      const whole = partOf(result, [...paths, ...all]);
      const part = whole.bytes > MOST_KEPT_OF_RESULT ? partOf(result, paths) : whole;
      const added = part.bytes - (known.bySource.get(source.id)?.bytes ?? 0);
      known.bySource.set(source.id, { ...part, actionId: source.actionId, hasData: data !== undefined });
      known.bytes += added;
      keptBytes += added;
      makeRoom(task.id);
    },
    /** The value at a path of a result that was read. */
    find: (task: TaskRow, source: StepRow, path: string): Value | undefined =>
      tasks.get(task.id)?.bySource.get(source.id)?.values.get(path),
    /** Forgets the values of a task that has ended. */
    forget,
  };
}

function newlyReferring(task: TaskRow): OfTask {
  return { references: referencesOf(task), bySource: new Map(), bytes: 0, announced: new Set() };
}

function referencesOf(task: TaskRow): string[] {
  const found = task.steps.flatMap(({ parameters }) => referencesIn(parameters).map(({ from }) => from));
  return [...new Set(found.filter((from) => typeof from === 'string'))];
}

function partOf(result: unknown, paths: readonly string[]): Part {
  const covered = new Set(paths);
  const values = new Map<string, Value>();
  let bytes = 0;
  for (const path of covered) {
    const found = valueAt(result, path.split('.'));
    bytes += path.length;
    if (found === undefined) continue;
    const isTooLarge = isLargerThan(found.value, MOST_RESOLVED_BYTES);
    values.set(path, isTooLarge ? { value: TOO_LARGE } : found);
    bytes += isTooLarge ? 0 : JSON.stringify(found.value).length;
  }
  return { covered, values, bytes };
}
