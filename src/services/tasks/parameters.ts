import { CATALOGUE } from '../../domain/catalogue.ts';
import { ancestorsOf } from '../../domain/task-graph.ts';
import { parseReference, referencesIn, resolveReferences } from '../../domain/task-references.ts';
import type { StepRow, TaskRow } from '../../store/tasks.ts';
import type { Refusal } from '../refusal.ts';
import { isLargerThan } from './json-size.ts';
import type { StepResults } from './step-results.ts';

/** The parameters of a step with its references resolved, and why they cannot be taken for the caller's own, if so. */
export type Resolved = { parameters: Record<string, unknown>; taint: string | undefined };

/** Of the parameters of one step once its references are resolved, as JSON: as much as an action may be sent with. */
const MOST_RESOLVED_BYTES = 64 * 1024;

/** Takes from the results of earlier steps what a step refers to. */
export function resolveParameters(results: StepResults, task: TaskRow, step: StepRow): Resolved | Refusal {
  const given = step.parameters ?? {};
  const references = referencesIn(given);
  if (references.length === 0) return { parameters: given, taint: undefined };
  const ancestors = ancestorsOf(step.id, task.steps);
  const sources = task.steps.filter(({ id }) => ancestors.has(id));
  const stepIds = sources.map(({ id }) => id);
  const by = { stepIds, resultOf: (id: string) => results(sources.find((source) => source.id === id)?.actionId) };
  const resolution = resolveReferences(given, by);
  if (!resolution.ok) return missingReference(resolution.missing);
  if (isLargerThan(resolution.value, MOST_RESOLVED_BYTES)) return tooLarge;
  const tainting = references.filter(({ from }) => {
    const reference = parseReference(from, stepIds);
    const source = sources.find(({ id }) => id === reference?.stepId);
    const value = resolveReferences({ $from: from }, by);
    return source === undefined || !value.ok || isForeign(source, value.value);
  });
  return { parameters: resolution.value as Record<string, unknown>, taint: taintOf(tainting) };
}

/**
 * Whatever a read brought in may say anything, and so may any text. A number or a yes that something done answered with, such
 * as the id of a window it opened, may not.
 */
function isForeign(source: StepRow, value: unknown): boolean {
  const isRead = CATALOGUE.get(source.actionType)?.effectClass === 'pure';
  return isRead || (typeof value !== 'number' && typeof value !== 'boolean');
}

function taintOf(references: readonly { from: unknown }[]): string | undefined {
  if (references.length === 0) return undefined;
  const names = references.map(({ from }) => String(from)).join(', ');
  return `Part of what it is to do comes from what an earlier step found (${names}), which may say anything.`;
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
