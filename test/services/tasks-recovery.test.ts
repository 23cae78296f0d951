import { describe, expect } from 'vitest';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import { parsedPage } from './page-items.ts';
import { done, notDone, type Rig, startServices, test, trusting } from './rig.ts';
import { answerStep, sentSteps, settle, stepsNow, submitTask, submittedTask, taskNow } from './tasks-rig.ts';

const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' } };
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

async function restarted(rig: Rig): Promise<Rig> {
  const after = rig.crashAndRestart();
  await settle();
  return after;
}

describe('after a crash of the daemon, a task', () => {
  test('sends again what is harmless to do twice, and goes on', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]);
    const after = await restarted(rig);
    expect(sentSteps(after)).toEqual(['a']);
    await answerStep(after, taskId, 'a', done());
    await answerStep(after, taskId, 'b', done());
    expect(taskNow(after, taskId)).toMatchObject({ status: 'success', steps: [{ attempts: 2 }, { attempts: 1 }] });
    expect(auditJournal(dataDirectoryAt(after.store.path))).toMatchObject({ valid: true });
  });

  test('sends it again three times at most', async () => {
    let rig = startServices();
    const { taskId } = await submittedTask(rig, [{ id: 'a' }]);
    for (const _ of [1, 2, 3]) {
      rig = await restarted(rig);
      expect(sentSteps(rig)).toEqual(['a']);
    }
    rig = await restarted(rig);
    expect(sentSteps(rig)).toEqual([]);
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'failed',
      steps: [{ status: 'failed', attempts: 4, error: { code: 'agent_unavailable' } }],
    });
  });

  test('never sends again what may happen only once: it is unknown, what depends on it waits, the rest goes on', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit },
      { id: 'next', dependsOn: ['quit'] },
      { id: 'other' },
    ]);
    const after = await restarted(rig);
    expect(sentSteps(after)).toEqual(['other']);
    await answerStep(after, taskId, 'other', done());
    expect(taskNow(after, taskId).status).toBe('needs_attention');
    expect(stepsNow(after, taskId)).toEqual({ quit: 'unknown', next: 'pending', other: 'success' });
    const atRest = taskNow(after, taskId);
    const again = await restarted(after);
    expect([sentSteps(again), taskNow(again, taskId)]).toEqual([[], atRest]);
  });

  test('has lost what waited for a person: it is expired', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'shot', ...screenshot },
      { id: 'next', dependsOn: ['shot'] },
    ]);
    const after = await restarted(rig);
    expect(stepsNow(after, taskId)).toEqual({ shot: 'expired', next: 'skipped' });
    expect(taskNow(after, taskId).status).toBe('failed');
  });

  test('makes the attempt that was to come, at its time', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a', retry: { maxAttempts: 2, backoffMs: 5_000 } }]);
    await answerStep(rig, taskId, 'a', notDone());
    const after = await restarted(rig);
    after.clock.advance(4_999);
    expect(after.agent.sent).toEqual([]);
    after.clock.advance(1);
    await answerStep(after, taskId, 'a', done());
    expect(taskNow(after, taskId).status).toBe('success');
  });

  test('stays cancelled, and nothing of it is sent again', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]);
    rig.services.tasks.cancel('ann', taskId);
    const after = await restarted(rig);
    expect(after.agent.sent).toEqual([]);
    expect(stepsNow(after, taskId)).toEqual({ a: 'failed', b: 'cancelled' });
  });

  test('is the same task for the same Idempotency-Key', async ({ rig }) => {
    const answer = await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'k' });
    const after = await restarted(rig);
    expect(await submitTask(after, [{ id: 'a' }], { idempotencyKey: 'k' })).toEqual({ ...answer, replayed: true });
  });

  test('that has ended is left alone, restart after restart', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a' }]);
    await answerStep(rig, taskId, 'a', done());
    const ended = taskNow(rig, taskId);
    const after = await restarted(await restarted(rig));
    expect([taskNow(after, taskId), after.agent.sent]).toEqual([ended, []]);
  });
});

describe('when the agent is lost, a task', () => {
  test('sends a read again and leaves what may happen only once unknown', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }, { id: 'read' }]);
    rig.agent.listener.lost();
    await settle();
    expect(sentSteps(rig)).toEqual(['quit', 'read', 'read']);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'unknown', read: 'running' });
  });

  test('sends again what never reached the agent, three times at most, and not what may happen only once', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }, { id: 'read' }]);
    const unsent = notDone({ code: 'agent_unavailable', message: 'The device agent was not connected.' });
    await answerStep(rig, taskId, 'quit', unsent);
    for (const attempts of [1, 2, 3, 4]) {
      expect(taskNow(rig, taskId).steps[1]).toMatchObject({ status: 'running', attempts });
      await answerStep(rig, taskId, 'read', unsent);
    }
    expect(sentSteps(rig)).toEqual(['quit', 'read', 'read', 'read', 'read']);
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'failed', read: 'failed' });
  });

  test('ignores what the lost attempt reports after all', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'read' }]);
    const [first] = rig.agent.sent;
    rig.agent.listener.lost();
    await settle();
    await rig.agent.answer(done(), first);
    expect(stepsNow(rig, taskId)).toEqual({ read: 'running' });
    expect(rig.kinds()).toContain('agent.result_ignored');
  });

  test('fails a step when the agent stays away for ten seconds', async ({ rig }) => {
    rig.agent.become('starting');
    const { taskId } = await submittedTask(rig, [{ id: 'a' }]);
    expect(stepsNow(rig, taskId)).toEqual({ a: 'pending' });
    rig.clock.advance(10_000);
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'failed', steps: [{ error: { code: 'agent_unavailable' } }] });
  });
});

test('a full disk loses no step: what could not be stored is stored and sent when there is room again', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]);
  rig.store.limitPages(1);
  await answerStep(rig, taskId, 'a', done({ data: { text: 'x'.repeat(100_000) } }));
  expect(stepsNow(rig, taskId)).toEqual({ a: 'running', b: 'pending' });
  rig.store.limitPages(1_000_000);
  rig.clock.advance(1_000);
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ a: 'success', b: 'running' });
});

describe('of a step that is unknown, the person', () => {
  async function inDoubt() {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit },
      { id: 'next', dependsOn: ['quit'] },
    ]);
    const after = await restarted(rig);
    const resolve = (resolution: 'happened' | 'did_not_happen' | 'again') =>
      after.services.console.tasks.resolveStep(taskId, 'quit', resolution);
    return { rig: after, taskId, resolve };
  }

  test('says that it happened, and what waited goes on', async () => {
    const { rig, taskId, resolve } = await inDoubt();
    expect(resolve('happened')).toMatchObject({ status: 'running' });
    expect(sentSteps(rig)).toEqual(['next']);
    expect(resolve('happened')).toMatchObject({ refused: 'already_terminal' });
    await answerStep(rig, taskId, 'next', done());
    expect(taskNow(rig, taskId).status).toBe('success');
  });

  test('says that it did not happen, and what needed it is skipped', async () => {
    const { rig, taskId, resolve } = await inDoubt();
    expect(resolve('did_not_happen')).toMatchObject({ status: 'failed' });
    expect([stepsNow(rig, taskId), sentSteps(rig)]).toEqual([{ quit: 'failed', next: 'skipped' }, []]);
  });

  test('begins it anew, which is another attempt with an action of its own', async () => {
    const { rig, taskId, resolve } = await inDoubt();
    resolve('again');
    await settle();
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'running',
      steps: [{ status: 'running', attempts: 2 }, {}],
    });
    expect(sentSteps(rig)).toEqual(['quit']);
    await answerStep(rig, taskId, 'quit', done());
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'success', next: 'running' });
  });

  test('begins it anew when there is a place for it among the four', async () => {
    const rig = trusting();
    const reads = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }, ...reads]);
    const after = await restarted(rig);
    expect(sentSteps(after)).toEqual(['a', 'b', 'c', 'd']);
    after.services.console.tasks.resolveStep(taskId, 'quit', 'again');
    await settle();
    expect(stepsNow(after, taskId)).toMatchObject({ quit: 'pending', a: 'running', e: 'pending' });
    await answerStep(after, taskId, 'a', done());
    expect(sentSteps(after)).toEqual(['a', 'b', 'c', 'd', 'quit']);
    expect(stepsNow(after, taskId)).toMatchObject({ quit: 'running', e: 'pending' });
  });

  test('sees it among the tasks of everybody', async () => {
    const { rig, taskId } = await inDoubt();
    const theirs = { taskId, status: 'needs_attention', steps: [{ sentence: 'Quit the app “mousepad”' }, {}] };
    expect(await parsedPage(rig.services.console.tasks.all({}, { limit: 10 }))).toMatchObject({ items: [theirs] });
    expect(
      await parsedPage(rig.services.console.tasks.all({ ends: ['needs_attention'] }, { limit: 10 })),
    ).toMatchObject({
      items: [theirs],
    });
    expect(await parsedPage(rig.services.console.tasks.all({ ends: ['running'] }, { limit: 10 }))).toMatchObject({
      items: [],
    });
  });
});
