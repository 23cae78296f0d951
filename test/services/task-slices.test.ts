import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPace, type Pause } from '../../src/services/tasks/pace.ts';
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

/** Submits the plan; `between` is called in every pause, with its number. */
async function submitSliced(rig: Rig, between: (pause: number) => unknown, idempotencyKey?: string) {
  const pausedAtMs: number[] = [];
  const ends: number[] = [];
  const turn = {
    async pause() {
      pausedAtMs.push(rig.clock.monotonicMs());
      await between(pausedAtMs.length);
      await nextTurn();
    },
    end: () => void ends.push(rig.clock.monotonicMs()),
  };
  const startedAtMs = rig.clock.monotonicMs();
  const answer = await submitTask(rig, HUNDRED, { turn, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  const slicesMs = pausedAtMs.map((atMs, index) => atMs - (pausedAtMs[index - 1] ?? startedAtMs));
  return { answer, slicesMs, ends };
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
    const { answer, slicesMs, ends } = await submitSliced(rig, () => states.push(JSON.stringify(stored(rig))));
    expect(answer).toMatchObject({ kind: 'task', task: { progress: { byStatus: { awaiting_confirmation: 100 } } } });
    expect(slicesMs.length).toBeGreaterThan(30);
    expect(Math.max(...slicesMs)).toBeLessThanOrEqual(6);
    const [none, whole] = ['{"steps":[],"asked":[]}', '{"steps":[100],"asked":[100]}'];
    expect([...new Set(states)]).toEqual([none, whole]);
    expect(ends).toHaveLength(1);
  });

  test.each([
    ['is not there after a crash while it is accepted', 5, []],
    ['is there whole after a crash while its steps begin', 25, [{ status: 'failed', progress: { total: 100 } }]],
  ])('%s', async (_title, crashAt, items) => {
    const rig = slowed(startServices());
    const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
    const { promise: never } = Promise.withResolvers<void>();
    const between = (pause: number) => {
      if (pause < crashAt) return;
      crash();
      return never;
    };
    void submitSliced(rig, between);
    await crashed;
    const after = rig.crashAndRestart();
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
      'k',
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
  const rig = slowed(startServices());
  let pauses = 0;
  const turn = {
    async pause() {
      pauses += 1;
    },
    end: () => undefined,
  };
  const answer = await submitTask(rig, HUNDRED, { turn, body: { dryRun: true } });
  expect(answer).toMatchObject({ kind: 'dryRun' });
  expect(pauses).toBeGreaterThan(15);
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

  test('does the slices of a task in turns of the event loop, one task at a time', async () => {
    const { pace, worked } = start(['more', 'more', 'more', undefined, 'more', undefined]);
    pace.now('one');
    pace.now('two');
    expect(worked).toEqual(['one', 'two']);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(worked).toEqual(['one', 'two', 'one', 'one', 'two', 'two']);
  });

  test('takes in a change between two slices with the next slice, and one after the last slice at once', async () => {
    const { pace, worked } = start(['more', undefined, undefined]);
    pace.now('one');
    pace.now('one');
    pace.soon('one');
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    expect(worked).toEqual(['one', 'one']);
    pace.soon('one');
    await nextTurn();
    expect(worked).toEqual(['one', 'one', 'one']);
  });
});
