import { setImmediate as nextOfLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPace, type Pause } from '../../src/services/tasks/engine.ts';
import { nextTurn } from '../../src/services/work/turns.ts';
import { createFakeClock } from './fake-clock.ts';
import { parsedPage } from './page-items.ts';
import { type Rig, startServices } from './rig.ts';
import { answerPrompt, settle, stepsNow, submitTask } from './tasks-rig.ts';

const HUNDRED = Array.from({ length: 100 }, (_, index) => ({
  id: `s${index}`,
  actionType: 'TakeScreenshot',
  parameters: { maxWidth: 100 + index },
}));

/** Lets every look at a device take 1 ms: each step is looked at once when it is accepted and once when it begins. */
function slowed(rig: Rig): Rig {
  const { find } = rig.store.devices;
  Object.assign(rig.store.devices, {
    find(userId: string, id: string) {
      rig.clock.advance(1);
      return find(userId, id);
    },
  });
  return rig;
}

/** Submits the plan. `between` is called between two of its slices, with the number of the pause. */
async function submitSliced(
  rig: Rig,
  between: (pause: number) => unknown,
  call: Parameters<typeof submitTask>[2] = {},
) {
  const pausedAtMs: number[] = [];
  let isOver = false;
  const watch = async () => {
    await nextTurn('watcher');
    if (isOver) return;
    pausedAtMs.push(rig.clock.monotonicMs());
    await between(pausedAtMs.length);
    await watch();
  };
  const startedAtMs = rig.clock.monotonicMs();
  const submitted = submitTask(rig, HUNDRED, call).finally(() => {
    isOver = true;
  });
  // A test may end while it is under way.
  submitted.catch(() => undefined);
  await watch();
  const slicesMs = pausedAtMs.map((atMs, index) => atMs - (pausedAtMs[index - 1] ?? startedAtMs));
  return { answer: await submitted, slicesMs };
}

/** The numbers of steps of the stored tasks and prompts. */
function stored({ store }: Rig) {
  return {
    steps: store.tasks.live().map(({ steps }) => steps.length),
    asked: store.confirmations.pending().map((row) => (row.kind === 'plan' ? row.steps.length : 0)),
  };
}

describe('a task of a hundred steps that need an approval', () => {
  test('is accepted and begun in slices of 5 ms, stored whole, and answered when all steps wait', async () => {
    const rig = slowed(startServices());
    const states: string[] = [];
    const { answer, slicesMs } = await submitSliced(rig, () => states.push(JSON.stringify(stored(rig))));
    expect(answer).toMatchObject({ kind: 'task', task: { progress: { byStatus: { awaiting_confirmation: 100 } } } });
    expect(slicesMs.length).toBeGreaterThan(30);
    // One turn has the last steps that are accepted and the first that begin.
    expect(Math.max(...slicesMs)).toBeLessThanOrEqual(2 * 6);
    expect(slicesMs.filter((ms) => ms > 6).length).toBeLessThanOrEqual(1);
    const [none, whole] = ['{"steps":[],"asked":[]}', '{"steps":[100],"asked":[100]}'];
    expect([...new Set(states)]).toEqual([none, whole]);
  });

  test.each([
    ['is not there after a crash while it is accepted', 5, []],
    ['is there whole after a crash while its steps begin', 25, [{ status: 'failed', progress: { total: 100 } }]],
  ])('%s', async (_title, crashAt, items) => {
    const rig = slowed(startServices());
    const crashed = Promise.withResolvers<Rig>();
    const between = (pause: number) => {
      if (pause === crashAt) crashed.resolve(rig.crashAndRestart());
    };
    submitSliced(rig, between).catch(() => undefined);
    const after = await crashed.promise;
    const page = await parsedPage(after.services.tasks.list('ann', {}, { limit: 10 }));
    expect(page).toMatchObject({ items });
    expect(page.items).toHaveLength(items.length);
  });

  test('is refused when everything is stopped between two slices, and nothing of it is stored', async () => {
    const rig = slowed(startServices());
    const { answer } = await submitSliced(rig, (pause) => {
      if (pause === 3) rig.services.console.pause();
    });
    expect(answer).toMatchObject({ refused: 'paused' });
    expect(await parsedPage(rig.services.tasks.list('ann', {}, { limit: 10 }))).toMatchObject({ items: [] });
  });

  test('is judged by one version of the rules, though they change between two slices', async () => {
    const rig = slowed(startServices());
    const { answer } = await submitSliced(rig, (pause) => {
      if (pause === 3) rig.services.console.profiles.assign('ann', 'trusted');
    });
    expect(answer).toMatchObject({ kind: 'task', task: { status: 'running' } });
    expect(rig.services.console.confirmations.list()).toEqual([]);
  });

  test('makes one task under one Idempotency-Key, though the request is repeated between two slices', async () => {
    const rig = slowed(startServices());
    const { answer } = await submitSliced(
      rig,
      async (pause) => {
        if (pause !== 3) return;
        expect(await submitTask(rig, HUNDRED, { idempotencyKey: 'k' })).toMatchObject({
          refused: 'idempotency_in_progress',
        });
      },
      { idempotencyKey: 'k' },
    );
    expect(await submitTask(rig, HUNDRED, { idempotencyKey: 'k' })).toEqual({ ...answer, replayed: true });
    expect(stored(rig).steps).toEqual([100]);
  });

  test('can be allowed before all of its steps wait, and then they begin', async () => {
    const rig = slowed(startServices());
    let isAllowed = false;
    const { answer } = await submitSliced(rig, async () => {
      if (isAllowed || rig.services.console.confirmations.list().length === 0) return;
      isAllowed = true;
      await answerPrompt(rig, 'allow');
    });
    await settle();
    const taskId = answer !== undefined && 'task' in answer ? answer.task.taskId : '';
    expect(isAllowed).toBe(true);
    expect(Object.values(stepsNow(rig, taskId)).filter((status) => status === 'running')).toHaveLength(4);
    expect(Object.values(stepsNow(rig, taskId)).filter((status) => status === 'pending')).toHaveLength(96);
  });
});

test('a dry run of a hundred steps is explained in slices', async () => {
  const { answer, slicesMs } = await submitSliced(slowed(startServices()), () => undefined, { body: { dryRun: true } });
  expect(answer).toMatchObject({ kind: 'dryRun' });
  expect(slicesMs.length).toBeGreaterThan(15);
});

describe('the pace of tasks', () => {
  /** A pace over work that answers these, one after the other. */
  function start(answers: Pause[]) {
    const worked: string[] = [];
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const pace = createPace({ log, clock: createFakeClock() }, (taskId) => {
      worked.push(taskId);
      return answers.shift();
    });
    return { pace, worked };
  }

  test('does the slices of tasks in turns of the event loop, one task after another', async () => {
    const { pace, worked } = start(['more', 'more', 'more', undefined, 'more', undefined]);
    pace.now('one');
    pace.now('two');
    expect(worked).toEqual(['one', 'two']);
    while (worked.length < 6) await nextOfLoop();
    expect(worked).toEqual(['one', 'two', 'one', 'two', 'one', 'one']);
  });
});
