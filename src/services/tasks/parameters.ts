import { CATALOGUE } from '../../domain/catalogue.ts';
import { ancestorsOf } from '../../domain/task-graph.ts';
import { parseReference, referencesIn, resolveReferences } from '../../domain/task-references.ts';
import type { StepRow, TaskRow } from '../../store/tasks.ts';
import type { Context } from '../context.ts';

/** The parameters of a step with its references resolved, and why they cannot be taken for the caller's own, if so. */
export type Resolved = { parameters: Record<string, unknown>; taint: string | undefined } | { missing: string };

/** Takes from the results of earlier steps what a step refers to. */
export function resolveParameters({ store }: Context, task: TaskRow, step: StepRow): Resolved {
  const given = step.parameters ?? {};
  const references = referencesIn(given);
  if (references.length === 0) return { parameters: given, taint: undefined };
  const ancestors = ancestorsOf(step.id, task.steps);
  const sources = task.steps.filter(({ id }) => ancestors.has(id));
  const stepIds = sources.map(({ id }) => id);
  const by = { stepIds, resultOf: (id: string) => resultOf(store, sources, id) };
  const resolution = resolveReferences(given, by);
  if (!resolution.ok) return { missing: resolution.missing };
  const tainting = references.filter(({ from }) => {
    const reference = parseReference(from, stepIds);
    const source = sources.find(({ id }) => id === reference?.stepId);
    const value = resolveReferences({ $from: from }, by);
    return source === undefined || !value.ok || isForeign(source, value.value);
  });
  return { parameters: resolution.value as Record<string, unknown>, taint: taintOf(tainting) };
}

/** The part of an action's record that later steps may refer to. */
function resultOf(store: Context['store'], sources: readonly StepRow[], id: string): unknown {
  const actionId = sources.find((step) => step.id === id)?.actionId;
  const action = actionId === undefined ? undefined : store.actions.findById(actionId);
  if (action === undefined) return undefined;
  const { status, details, effect, data } = action;
  return { status, details, effect, data };
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
