import { describe, expect } from 'vitest';
import { parsedPage } from './page-items.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, sentSteps, settle, stepsNow, submittedTask, taskNow } from './tasks-rig.ts';

const HOURS_MS = 5 * 3_600_000;
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const retry = { maxAttempts: 3, backoffMs: 4_000 };

test('a retry without a pause of its own comes after a second, and not before', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'a', retry: { maxAttempts: 2 } }]);
  await answerStep(rig, taskId, 'a', notDone());
  rig.clock.advance(999);
  expect(rig.agent.sent).toHaveLength(1);
  rig.clock.advance(1);
  expect(rig.agent.sent).toHaveLength(2);
});

describe.each([
  ['forward', HOURS_MS],
  ['back', -HOURS_MS],
])('when the wall clock is set %s by five hours', (direction, jumpMs) => {
  const jump = ({ clock }: Rig) => clock.setWallClock(clock.nowMs() + jumpMs);

  test('a retry that waits comes after its pause, not before and not hours later', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a', retry }]);
    await answerStep(rig, taskId, 'a', notDone());
    jump(rig);
    rig.clock.advance(3_999);
    expect(rig.agent.sent).toHaveLength(1);
    rig.clock.advance(1);
    await answerStep(rig, taskId, 'a', done());
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'success', steps: [{ attempts: 2 }] });
  });

  test('a retry that is due after a restart comes within its pause', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a', retry }]);
    await answerStep(rig, taskId, 'a', notDone());
    jump(rig);
    const after = rig.crashAndRestart();
    await settle();
    after.clock.advance(4_000);
    await settle();
    await answerStep(after, taskId, 'a', done());
    expect(taskNow(after, taskId)).toMatchObject({ status: 'success', steps: [{ attempts: 2 }] });
  });

  test('a step that runs is neither cut off nor left to itself: its timeout counts what really passes', async () => {
    const rig = startServices();
    const { taskId } = await submittedTask(rig, [{ id: 'a', timeoutMs: 10_000 }]);
    jump(rig);
    rig.clock.advance(11_999);
    expect(rig.agent.cancelled).toEqual([]);
    rig.clock.advance(1);
    expect(rig.agent.cancelled).toMatchObject([{ reason: 'timeout' }]);
    rig.clock.advance(7_500);
    await settle();
    expect(taskNow(rig, taskId)).toMatchObject({ steps: [{ status: 'running', attempts: 2 }] });
  });

  test('a task that runs goes on to its end, and took no less than no time', async ({ rig }) => {
    const steps = [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }];
    const { taskId } = await submittedTask(rig, steps);
    jump(rig);
    await answerStep(rig, taskId, 'a', done());
    await answerStep(rig, taskId, 'b', done());
    const task = taskNow(rig, taskId);
    expect(task).toMatchObject({ status: 'success', progress: { done: 2, total: 2 } });
    expect(task.durationMs).toBe(Math.max(0, jumpMs));
    const [end] = rig.store.journal.readAfter(0, 1_000).slice(-1);
    expect(end).toMatchObject({ kind: 'task.ended', metadata: { workedMs: Math.max(0, jumpMs) } });
  });

  test('a task that is submitted then is the newest, and runs', async ({ rig }) => {
    const first = await submittedTask(rig, [{ id: 'a' }]);
    jump(rig);
    const second = await submittedTask(rig, [{ id: 'a' }]);
    expect(await parsedPage(rig.services.tasks.list('ann', {}, { limit: 10 }))).toMatchObject({
      items: [{ taskId: second.taskId }, { taskId: first.taskId }],
    });
    await answerStep(rig, second.taskId, 'a', done());
    expect(taskNow(rig, second.taskId).status).toBe('success');
  });

  test('what was sent once is not sent again after a restart', async ({ rig }) => {
    rig.services.console.profiles.assign('ann', 'trusted');
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', actionType: 'QuitApp', parameters: { appName: 'mousepad' } },
    ]);
    jump(rig);
    const after = rig.crashAndRestart();
    after.clock.advance(60_000);
    await settle();
    expect([stepsNow(after, taskId), sentSteps(after)]).toEqual([{ quit: 'unknown' }, []]);
  });

  test('a prompt that nobody answers still ends, as no', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
    jump(rig);
    rig.clock.advance(10 * 60_000);
    await settle();
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'failed', steps: [{ status: 'expired' }] });
  });

  test('a prompt that is shown after that is answered like any other', async ({ rig }) => {
    jump(rig);
    const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
    await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'running' });
  });

  test(`a prompt that waits ${direction === 'back' ? 'can still be allowed' : 'has run out, as after a sleep of the machine'}`, async () => {
    const rig = startServices();
    const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
    const { console: person } = rig.services;
    const [prompt] = person.confirmations.list();
    jump(rig);
    expect(person.confirmations.list()).toHaveLength(direction === 'back' ? 1 : 0);
    const shown = person.confirmations.shown(String(prompt?.id));
    expect(shown).toMatchObject(
      direction === 'back' ? { id: prompt?.id, status: 'pending' } : { refused: 'confirmation_expired' },
    );
    if (direction === 'back') await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toEqual({ shot: direction === 'back' ? 'running' : 'expired' });
  });
});
