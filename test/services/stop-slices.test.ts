import { describe, expect } from 'vitest';
import { decide, firstPrompt, show } from './answers.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { settle, submittedTask } from './tasks-rig.ts';

/** More than one slice takes while the clock stands still. */
const MANY = 150;

const wait = { actionType: 'Wait', parameters: { durationMs: 60_000 }, timeoutMs: 600_000 };
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

/** Runs sixteen, queues the rest. */
async function submitMany(rig: Rig): Promise<void> {
  for (let count = 0; count < MANY; count += 1) await rig.submitted(wait);
}

const unfinished = (rig: Rig) => rig.store.actions.live();
const queued = (rig: Rig) => unfinished(rig).filter(({ status }) => status === 'queued');

/** Lets the agent report that it has stopped everything it was told to stop. */
async function reportStopped(rig: Rig): Promise<void> {
  for (const { key } of rig.agent.cancelled.splice(0)) rig.agent.listener.finished(key, notDone({ cancelled: true }));
  await settle();
}

describe('the emergency stop with more unfinished work than one slice ends', { timeout: 60_000 }, () => {
  test('tells the agent to stop running actions before it records anything', async ({ rig }) => {
    await submitMany(rig);
    const before = rig.store.journal.head().seq;
    const { cancel } = rig.agent;
    const recorded: number[] = [];
    rig.agent.cancel = (...told) => {
      recorded.push(rig.store.journal.head().seq - before);
      cancel(...told);
    };
    rig.services.console.pause();
    expect(recorded).toEqual(Array.from({ length: 16 }, () => 0));
    expect(rig.agent.cancelled.map(({ key }) => key.actionId)).toEqual(rig.agent.sent.map(({ actionId }) => actionId));
  });

  test('answers before all is recorded as ended, tells the agent once, and ends the rest in later turns', async () => {
    const rig = startServices();
    await submitMany(rig);
    expect(rig.services.console.pause()).toMatchObject({ paused: true });
    expect(rig.store.settings.get('pausedAtMs')).toBe(rig.clock.nowMs());
    const left = queued(rig).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(MANY - 16);
    rig.clock.advance(0);
    expect(queued(rig)).toEqual([]);
    expect(rig.agent.cancelled).toHaveLength(16);
  });

  test('sends no queued action when a place becomes free, even if the action is not recorded as ended yet', async () => {
    const rig = startServices();
    await submitMany(rig);
    rig.services.console.pause();
    expect(queued(rig)).not.toEqual([]);
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(rig.agent.sent).toHaveLength(16);
  });

  test('lets no prompt be answered, even if it is not recorded as ended yet', async ({ rig }) => {
    await submitMany(rig);
    const { actionId } = await rig.submitted(screenshot);
    const prompt = firstPrompt(rig);
    show(rig, 1_000);
    expect(rig.services.console.pause()).toMatchObject({ waiting: 0 });
    expect(rig.store.confirmations.find(prompt.id)).toMatchObject({ status: 'pending' });
    expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_resolved' });
    expect(rig.services.console.confirmations.shown(prompt.id)).toMatchObject({ refused: 'confirmation_resolved' });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    rig.clock.advance(0);
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'cancelled' });
    expect(rig.agent.sent.map(({ actionType }) => actionType)).not.toContain('TakeScreenshot');
  });

  test('is lifted only after everything has ended, so that nothing comes back', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'first' }, { id: 'next', dependsOn: ['first'] }]);
    for (let count = 0; count < 2; count += 1) await submitMany(rig);
    rig.services.console.pause();
    const resumed = rig.services.console.resume();
    expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
    rig.clock.advance(0);
    expect(await resumed).toMatchObject({ paused: false });
    await reportStopped(rig);
    expect(unfinished(rig)).toEqual([]);
    expect(rig.services.tasks.get('ann', taskId)).toMatchObject({ status: 'cancelled' });
    expect(rig.agent.sent).toHaveLength(16);
    expect((await rig.submitted(wait)).status).toBe('running');
  });

  test('stays when the person presses stop again while it is about to be lifted', async ({ rig }) => {
    for (let count = 0; count < 3; count += 1) await submitMany(rig);
    rig.services.console.pause();
    const resumed = rig.services.console.resume();
    rig.services.console.pause();
    expect(await resumed).toMatchObject({ paused: true });
    rig.clock.advance(0);
    expect(queued(rig)).toEqual([]);
    expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
  });

  test('is carried on after a restart in the middle, and sends nothing', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'first' }, { id: 'next', dependsOn: ['first'] }]);
    for (let count = 0; count < 2; count += 1) await submitMany(rig);
    const { actionId } = await rig.submitted(screenshot);
    rig.services.console.pause();
    const after = rig.crashAndRestart();
    expect(queued(after).length).toBeGreaterThan(0);
    expect(after.services.console.confirmations.list()).toEqual([]);
    after.clock.advance(0);
    expect(await after.services.console.resume()).toMatchObject({ paused: false });
    await settle();
    expect(unfinished(after)).toEqual([]);
    expect(after.services.actions.get('ann', actionId)).toMatchObject({ status: 'cancelled' });
    expect(after.services.tasks.get('ann', taskId)).toMatchObject({ status: 'cancelled' });
    expect(after.agent.sent).toEqual([]);
  });
});

test('a locked screen holds every action at once and records them as expired in later turns', {
  timeout: 60_000,
}, async () => {
  const rig = startServices();
  for (let count = 0; count < 2; count += 1) await submitMany(rig);
  const { actionId } = await rig.submitted(screenshot);
  rig.services.screen('locked');
  rig.services.screen('unlocked');
  expect(queued(rig).length).toBeGreaterThan(0);
  await rig.agent.answer(done(), rig.agent.sent[0]);
  expect(rig.agent.sent).toHaveLength(16);
  expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
  rig.clock.advance(0);
  expect(queued(rig)).toEqual([]);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
  expect((await rig.submitted(wait)).status).toBe('running');
});
