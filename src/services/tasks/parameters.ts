import { isLargerThan } from '../../domain/canonical-json.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { ancestorsOf, parseReference, referencesIn, resolveReferences } from '../../domain/task-graph.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Refusal } from '../refusal.ts';
import { MOST_RESOLVED_BYTES, type StepResults } from './step-results.ts';

/** The parameters of a step with its references resolved, and why they cannot be taken for the caller's own, if so. */
export type Resolved = { parameters: Record<string, unknown>; taint: string | undefined };

/** Where a reference leads to: the step, and the path in its result. */
type Place = { source: StepRow; path: string };

/**
 * Takes from the results of earlier steps what a step refers to. `unread`: some results are not read yet. The next slice goes on,
 * because this one is over or the next result is large.
 */
export function resolveParameters(
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
