import { describe, expect } from 'vitest';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { done, type Rig, startServices, test } from '../rig.ts';
import { settle, stepsNow, submittedTask } from '../tasks-rig.ts';

const TASKS = 20;
const wait = { actionType: 'Wait', parameters: { durationMs: 60_000 }, timeoutMs: 600_000 };

/** A clock on which a millisecond is over whenever it is read, once it is told so: a slice has room for few pieces then. */
function slowClock(): FakeClock & { slow(): void } {
  const clock = createFakeClock();
  let spentMs = 0;
  let stepMs = 0;
  return {
    ...clock,
    monotonicMs() {
      spentMs += stepMs;
      return clock.monotonicMs() + spentMs;
    },
    slow() {
      stepMs = 1;
    },
  };
}

/** Services that were ended in the middle of many tasks, and the start of others on the same data, which takes several slices. */
async function restarted(prepare: (rig: Rig) => unknown = () => undefined): Promise<{ after: Rig; taskIds: string[] }> {
  const clock = slowClock();
  const rig = startServices({ clock });
  const taskIds: string[] = [];
  for (let count = 0; count < TASKS; count += 1)
    taskIds.push(
      (
        await submittedTask(rig, [
          { id: 'a', ...wait },
          { id: 'b', dependsOn: ['a'] },
        ])
      ).taskId,
    );
  await prepare(rig);
  clock.slow();
  return { after: rig.crashAndRestart(), taskIds };
}

/** Tasks begin their steps in pieces, of which each has some tasks. */
async function allSent(rig: Rig, count = 16): Promise<void> {
  while (rig.agent.sent.length < count) {
    rig.clock.advance(0);
    await settle();
  }
  await settle();
}

const all = (rig: Rig, taskIds: string[], step: string) => taskIds.map((id) => stepsNow(rig, id)[step]);

describe('a start that finds more work than one slice takes up', { timeout: 60_000 }, () => {
  test('sends and takes nothing until all of it is there, and then goes on with all of it', async () => {
    const { after, taskIds } = await restarted();
    await settle();
    expect(after.agent.sent).toEqual([]);
    expect(all(after, taskIds, 'a')).toContain('running');
    expect(await after.submit(wait)).toMatchObject({ refused: 'paused', detail: expect.stringMatching(/is starting/) });
    after.clock.advance(1);
    await allSent(after);
    expect(after.agent.sent).toHaveLength(16);
    const first = all(after, taskIds, 'a');
    expect([first.filter((status) => status === 'running').length, first.length]).toEqual([16, TASKS]);
    expect(first.filter((status) => status !== 'running')).toEqual(Array.from({ length: TASKS - 16 }, () => 'pending'));
    await after.agent.answer(done(), after.agent.sent[0]);
    await allSent(after, 17);
  });

  test('holds back a lock of the screen until all of it is there: nothing is sent before the screen is unlocked', async () => {
    const { after, taskIds } = await restarted();
    after.services.screen('locked');
    after.clock.advance(1);
    await settle();
    expect(after.agent.sent).toEqual([]);
    expect(new Set(all(after, taskIds, 'a'))).toEqual(new Set(['pending']));
    after.services.screen('unlocked');
    after.clock.advance(1);
    await allSent(after);
    expect(after.agent.sent).toHaveLength(16);
  });

  test('ends everything if the emergency stop holds, and sends nothing', async () => {
    const { after, taskIds } = await restarted((rig) => {
      rig.services.console.pause();
    });
    after.clock.advance(1);
    await settle();
    after.clock.advance(1);
    expect(after.agent.sent).toEqual([]);
    for (const step of ['a', 'b']) expect(all(after, taskIds, step)).not.toContain('pending');
  });

  test('leaves the rest to the next start if it is ended before', async () => {
    const { after, taskIds } = await restarted();
    const ended = after.services.end();
    after.clock.advance(10_000);
    await ended;
    expect(after.agent.sent).toEqual([]);
    const last = after.crashAndRestart();
    last.clock.advance(1);
    await allSent(last);
    expect(last.agent.sent).toHaveLength(16);
    expect(new Set(all(last, taskIds, 'b'))).toEqual(new Set(['pending']));
  });
});

test('a start that finds little has taken it up when it returns', async ({ rig }) => {
  await submittedTask(rig, [{ id: 'a', ...wait }]);
  const after = rig.crashAndRestart();
  await settle();
  expect(after.agent.sent).toHaveLength(1);
});
