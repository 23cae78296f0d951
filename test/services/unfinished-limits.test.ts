import { expect, test } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { tooMuchUnfinished } from '../../src/services/tasks/tasks.ts';
import { type Rig, startServices } from './rig.ts';
import { submitTask } from './tasks-rig.ts';

const stepsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `s${index}` }));

/** Submits so many tasks of so many steps, and answers their ids. */
async function submitMany(rig: Rig, tasks: number, steps: number): Promise<string[]> {
  const taken: string[] = [];
  for (let count = 0; count < tasks; count += 1) {
    const answer = await submitTask(rig, stepsOf(steps));
    if (isRefusal(answer) || answer.kind !== 'task') throw new Error(`task ${count} was not taken`);
    taken.push(answer.task.taskId);
  }
  return taken;
}

test.each([
  ['twenty unfinished tasks', 20, 1],
  ['a thousand unfinished steps', 10, 100],
])('%s of one user are taken, and not one more until some have ended', async (_title, tasks, steps) => {
  const rig = startServices();
  const taken = await submitMany(rig, tasks, steps);
  expect(await submitTask(rig, stepsOf(1))).toMatchObject({
    refused: 'too_many_pending',
    retryAfterSeconds: 30,
    detail: expect.stringMatching(
      /of this user.*at most 20 tasks with 1000 steps of a user and 160 tasks with 8000 steps in all/,
    ),
  });
  rig.services.tasks.cancel('ann', String(taken.at(-1)));
  expect(await submitTask(rig, stepsOf(steps))).toMatchObject({ kind: 'task' });
});

/** Whether a task of so many steps is taken beside so many others of as many steps each. */
function isTaken(steps: number, { tasks, each, isKnown = false }: { tasks: number; each: number; isKnown?: boolean }) {
  const unfinished = Array.from({ length: tasks }, (_, index) => ({ userId: `other${index}`, steps: Array(each) }));
  return tooMuchUnfinished({ userId: 'ann', steps: Array(steps) }, unfinished, isKnown) === undefined;
}

test('made-up ids have 8,000 steps and 160 tasks in all, and known requesters a quarter more', () => {
  expect([isTaken(100, { tasks: 79, each: 100 }), isTaken(101, { tasks: 79, each: 100 })]).toEqual([true, false]);
  expect([isTaken(1, { tasks: 159, each: 1 }), isTaken(1, { tasks: 160, each: 1 })]).toEqual([true, false]);
  const known = { each: 100, isKnown: true };
  expect([isTaken(100, { tasks: 99, ...known }), isTaken(101, { tasks: 99, ...known })]).toEqual([true, false]);
  const many = { each: 1, isKnown: true };
  expect([isTaken(1, { tasks: 199, ...many }), isTaken(1, { tasks: 200, ...many })]).toEqual([true, false]);
});
