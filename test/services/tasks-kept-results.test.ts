import { expect, test } from 'vitest';
import { createStepResults } from '../../src/services/tasks/step-results.ts';
import { startServices } from './rig.ts';
import { submittedTask } from './tasks-rig.ts';

const KIB = 1024;

/** The results of two tasks, which are read from a store that answers each with these values. */
async function twoTasks(values: Record<string, string>) {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [{ id: 'look' }]);
  const first = rig.store.tasks.findById(taskId);
  const action = rig.store.actions.findById(first?.steps[0]?.actionId ?? '');
  if (first === undefined || action === undefined) throw new Error('expected a task whose first step is an action');
  const [source] = first.steps;
  if (source === undefined) throw new Error('expected a step');
  Object.assign(rig.store.actions, { findById: () => ({ ...action, data: values }), hasData: () => true });
  return { results: createStepResults({ store: rig.store }), first, second: { ...first, id: 'tsk_2' }, source };
}

test.each([
  ['32 MiB of values', 0, true],
  ['a byte more', 1, false],
])('of %s the task that was used last evicts no other', async (_what, more, isKept) => {
  // With its path and its two quotes each value counts 64 KiB.
  const names = Array.from({ length: 512 }, (_, index) => String(index).padStart(4, '0'));
  const value = 'x'.repeat(64 * KIB - 'data.0000'.length - '""'.length);
  const values = Object.fromEntries(names.map((name) => [name, value]));
  const { results, first, second, source } = await twoTasks({ ...values, '0001': value + 'x'.repeat(more) });
  const [path = '', ...others] = names.map((name) => `data.${name}`);
  results.read(first, source, [path]);
  results.read(second, source, others);
  expect([results.has(first, source, [path]), results.has(second, source, others)]).toEqual([isKept, true]);
});
