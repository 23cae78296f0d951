import { describe, expect } from 'vitest';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { decide, show } from './answers.ts';
import { fillDisk, makeRoom } from './full-disk.ts';
import { parsedPage } from './page-items.ts';
import { done, notDone, startServices, test, trusting } from './rig.ts';
import {
  answerPrompt,
  answerStep,
  sentSteps,
  settle,
  stepsNow,
  submitTask,
  submittedTask,
  taskNow,
} from './tasks-rig.ts';

const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' } };
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const chain = [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }];

describe('while the disk is full', () => {
  test('a task is refused, nothing of it is there, and under the same Idempotency-Key it is taken once there is room', async () => {
    const rig = startServices();
    fillDisk(rig);
    await expect(submitTask(rig, chain, { idempotencyKey: 'k' })).rejects.toThrow(StorageUnavailable);
    expect(await parsedPage(rig.services.tasks.list('ann', {}, { limit: 10 }))).toMatchObject({ items: [] });
    await makeRoom(rig);
    const taken = await submitTask(rig, chain, { idempotencyKey: 'k' });
    expect(await submitTask(rig, chain, { idempotencyKey: 'k' })).toEqual({ ...taken, replayed: true });
    expect(sentSteps(rig)).toEqual(['a']);
  });

  test('what the agent reports is kept until it can be stored, and is acknowledged only then', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit },
      { id: 'next', dependsOn: ['quit'] },
    ]);
    fillDisk(rig);
    await answerStep(rig, taskId, 'quit', done());
    rig.clock.advance(60_000);
    await settle();
    expect([stepsNow(rig, taskId).quit, rig.agent.acknowledged]).toEqual(['running', []]);
    await makeRoom(rig);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'success', next: 'running' });
    expect(rig.agent.acknowledged).toHaveLength(1);
    expect(sentSteps(rig)).toEqual(['quit', 'next']);
  });

  test('the loss of the agent is taken in, and recorded once there is room', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }, { id: 'read' }]);
    fillDisk(rig);
    rig.agent.listener.lost();
    rig.clock.advance(5_000);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'running', read: 'running' });
    await makeRoom(rig);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'unknown', read: 'running' });
    expect(sentSteps(rig)).toEqual(['quit', 'read', 'read']);
    expect(rig.kinds()).toContain('agent.lost');
  });

  test('an agent comes back and is greeted, and a broken one is not the end of the daemon', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, chain);
    const [sent] = rig.agent.sent;
    fillDisk(rig);
    const inflight = [{ actionId: String(sent?.actionId), attempt: 1, phase: 'performing' as const }];
    const verdicts = rig.agent.listener.online({ ...HELLO, inflight });
    expect(verdicts).toEqual([{ actionId: sent?.actionId, attempt: 1, verdict: 'continue' }]);
    rig.agent.listener.violated({ kind: 'unknown_method', detail: 'nothing that anybody asked for' });
    rig.agent.listener.finished({ actionId: 'act_unknown', attempt: 1 }, done());
    await makeRoom(rig);
    await answerStep(rig, taskId, 'a', done());
    expect(stepsNow(rig, taskId)).toEqual({ a: 'success', b: 'running' });
    expect(rig.kinds()).toEqual(expect.arrayContaining(['agent.online', 'agent.violation', 'agent.result_ignored']));
  });

  test('a prompt runs out, and is recorded as expired once there is room', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'shot', ...screenshot },
      { id: 'next', dependsOn: ['shot'] },
    ]);
    fillDisk(rig);
    rig.clock.advance(10 * 60_000);
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'awaiting_confirmation', next: 'pending' });
    await makeRoom(rig);
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'failed',
      steps: [{ status: 'expired' }, { status: 'skipped' }],
    });
  });

  test('a yes of the person is refused and not half taken; it counts when there is room', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
    show(rig);
    fillDisk(rig);
    const yes = () => decide(rig, 'allow');
    expect(yes).toThrow(StorageUnavailable);
    expect([stepsNow(rig, taskId), rig.agent.sent]).toEqual([{ shot: 'awaiting_confirmation' }, []]);
    await makeRoom(rig);
    expect(yes()).toMatchObject({ status: 'running' });
    expect(sentSteps(rig)).toEqual(['shot']);
  });

  test('a cancellation is refused, and goes through when there is room', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, chain);
    fillDisk(rig);
    expect(() => rig.services.tasks.cancel('ann', taskId)).toThrow(StorageUnavailable);
    expect([stepsNow(rig, taskId), rig.agent.cancelled]).toEqual([{ a: 'running', b: 'pending' }, []]);
    await makeRoom(rig);
    rig.services.tasks.cancel('ann', taskId);
    await answerStep(rig, taskId, 'a', notDone({ cancelled: true }));
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'cancelled', progress: { done: 2, total: 2 } });
  });

  test('an agent that says nothing when its time is up is given up, and what it had is recorded once there is room', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit, timeoutMs: 1_000 },
      { id: 'read', timeoutMs: 1_000 },
    ]);
    fillDisk(rig);
    rig.clock.advance(60_000);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'running', read: 'running' });
    await makeRoom(rig);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'unknown', read: 'running' });
    expect(sentSteps(rig)).toEqual(['quit', 'read', 'read']);
  });

  test('an agent that does not come in time is given up, and that is recorded once there is room', async ({ rig }) => {
    rig.agent.become('starting');
    const { taskId } = await submittedTask(rig, chain);
    fillDisk(rig);
    rig.clock.advance(60_000);
    expect(stepsNow(rig, taskId)).toEqual({ a: 'pending', b: 'pending' });
    await makeRoom(rig);
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'failed',
      steps: [{ error: { code: 'agent_unavailable' } }, {}],
    });
  });

  test("the person's word on a step in doubt is refused and can be given again", async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit },
      { id: 'next', dependsOn: ['quit'] },
    ]);
    rig.agent.listener.lost();
    fillDisk(rig);
    const say = () => rig.services.console.tasks.resolveStep(taskId, 'quit', 'happened');
    expect(say).toThrow(StorageUnavailable);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'unknown', next: 'pending' });
    await makeRoom(rig);
    expect(say()).toMatchObject({ status: 'running' });
    expect(sentSteps(rig)).toEqual(['quit', 'next']);
  });

  test('a retry that falls due waits for room, and is made once', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a', retry: { maxAttempts: 2, backoffMs: 1_000 } }]);
    await answerStep(rig, taskId, 'a', notDone());
    fillDisk(rig);
    rig.clock.advance(60_000);
    expect([stepsNow(rig, taskId), sentSteps(rig)]).toEqual([{ a: 'pending' }, ['a']]);
    await makeRoom(rig);
    expect([stepsNow(rig, taskId), sentSteps(rig)]).toEqual([{ a: 'running' }, ['a', 'a']]);
  });

  test('a crash leaves every task that was taken, and the next run brings it to its end', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit },
      { id: 'read' },
      { id: 'next', dependsOn: ['read'] },
    ]);
    fillDisk(rig);
    await answerStep(rig, taskId, 'quit', done());
    await answerStep(rig, taskId, 'read', done());
    const after = rig.crashAndRestart();
    await settle();
    expect(stepsNow(after, taskId)).toEqual({ quit: 'unknown', read: 'running', next: 'pending' });
    await answerStep(after, taskId, 'read', done());
    await answerStep(after, taskId, 'next', done());
    after.services.console.tasks.resolveStep(taskId, 'quit', 'happened');
    expect(taskNow(after, taskId)).toMatchObject({ status: 'success', progress: { done: 3, total: 3 } });
    expect(sentSteps(after)).toEqual(['read', 'next']);
  });
});

test('a prompt can be answered like any other after the disk was full', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'shot', ...screenshot, dependsOn: ['a'] }]);
  fillDisk(rig);
  await answerStep(rig, taskId, 'a', done());
  rig.clock.advance(5_000);
  await settle();
  await makeRoom(rig);
  await answerPrompt(rig, 'allow');
  await answerStep(rig, taskId, 'shot', done());
  expect(taskNow(rig, taskId).status).toBe('success');
});

const HELLO = {
  protocol: 1,
  agentVersion: '0.1.0',
  bootId: 'boot-1',
  pid: 4711,
  platform: 'fake' as const,
  hostname: 'desk',
  displays: [],
  permissions: { screenRecording: 'granted', accessibility: 'granted', automation: 'granted' } as const,
  actionTypes: ['Wait'],
  inflight: [],
  unacknowledged: [],
};
