import { describe, expect } from 'vitest';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { decide, firstPrompt, show } from './answers.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, settle, stepsNow, submitTask, submittedTask, taskNow } from './tasks-rig.ts';

/** The actions that run at once, and more than one slice ends. */
const RUNNING = 16;
const MANY = RUNNING + 120;

const wait = { actionType: 'Wait', parameters: { durationMs: 60_000 }, timeoutMs: 600_000 };
const screenshot = { actionType: 'TakeScreenshot', parameters: {}, timeoutMs: 600_000 };

async function submitMany(rig: Rig, body: object): Promise<void> {
  for (let count = 0; count < MANY; count += 1) await rig.submitted(body);
}

const queued = (rig: Rig, userId = 'ann') =>
  rig.store.actions.live().filter((row) => row.status === 'queued' && row.userId === userId);

/** For each reason: fills the places, lets 120 more actions wait, and hands over the call that ends them. */
const reasons: { name: string; details: RegExp; prepared(rig: Rig): Promise<() => unknown> }[] = [
  {
    name: 'a removed device',
    details: /Cancelled before it was sent/,
    async prepared(rig) {
      await submitMany(rig, wait);
      return () => rig.services.devices.remove('ann', rig.deviceId);
    },
  },
  {
    name: 'a paused user',
    details: /paused before it was sent/,
    async prepared(rig) {
      await submitMany(rig, wait);
      return () => rig.services.console.requesters.pause('ann');
    },
  },
  {
    name: 'changed rules',
    details: /rules changed before it was sent/,
    async prepared(rig) {
      await submitMany(rig, wait);
      return () => rig.services.console.profiles.assign('bob', 'assist');
    },
  },
  {
    name: 'a revoked grant',
    details: /grant that allowed it was revoked/,
    async prepared(rig) {
      await rig.submitted(screenshot);
      await answerPrompt(rig, 'allow', 'always');
      const [grant] = rig.services.console.grants.list();
      await submitMany(rig, screenshot);
      return () => rig.services.console.grants.revoke(String(grant?.id));
    },
  },
];

describe.each(reasons)('$name with more waiting actions than one slice ends', { timeout: 60_000 }, (reason) => {
  test('ends a hundred within the call, and the others in later turns', async ({ rig }) => {
    const end = await reason.prepared(rig);
    const before = queued(rig).length;
    end();
    const after = queued(rig).length;
    // Actions that run may be among the first hundred.
    expect(before - after).toBeGreaterThanOrEqual(100 - RUNNING);
    expect(before - after).toBeLessThanOrEqual(100);
    expect(after).toBeGreaterThan(0);
    rig.clock.advance(0);
    expect(queued(rig)).toEqual([]);
  });

  test('sends none of them when places become free, even if they are not recorded as ended yet', async ({ rig }) => {
    const end = await reason.prepared(rig);
    const sent = rig.agent.sent.length;
    end();
    const left = queued(rig).length;
    expect(left).toBeGreaterThan(0);
    for (const params of rig.agent.sent.slice(-RUNNING)) await rig.agent.answer(done(), params);
    expect(rig.agent.sent).toHaveLength(sent);
    rig.clock.advance(0);
    const [latest] = rig.store.actions.page({ userId: 'ann', beforeId: 'b', limit: 1 });
    expect(latest).toMatchObject({ status: 'cancelled', details: expect.stringMatching(reason.details) });
  });

  test('goes on after a restart in the middle: all end with the same words, and none is sent', async ({ rig }) => {
    const end = await reason.prepared(rig);
    end();
    const left = queued(rig).map(({ id }) => id);
    expect(left.length).toBeGreaterThan(0);
    const after = rig.crashAndRestart();
    after.clock.advance(0);
    await settle();
    expect(queued(after)).toEqual([]);
    expect(after.agent.sent).toEqual([]);
    const ended = left.map((id) => after.store.actions.findById(id));
    expect(ended.every((row) => row?.status === 'cancelled' && reason.details.test(row.details))).toBe(true);
    const again = after.crashAndRestart();
    expect(again.store.settings.get('callOffs')).toEqual([]);
  });
});

describe('an action that was not called off', { timeout: 60_000 }, () => {
  test('of another user is sent while the actions of a paused user are being ended', async ({ rig }) => {
    rig.services.console.profiles.assign('bob', 'assist');
    const targetDeviceId = rig.deviceOf('bob');
    await submitMany(rig, wait);
    for (let count = 0; count < 10; count += 1)
      await rig.submit({ ...wait, targetDeviceId }, { userId: 'bob', waitMs: 0 });
    const waiting = queued(rig, 'bob').map(({ id }) => id);
    rig.services.console.requesters.pause('ann');
    expect(queued(rig).length).toBeGreaterThan(0);
    for (const params of rig.agent.sent.slice(0, RUNNING)) await rig.agent.answer(done(), params);
    expect(queued(rig, 'bob')).toEqual([]);
    expect(rig.agent.sent.slice(-waiting.length).map(({ actionId }) => actionId)).toEqual(waiting);
    rig.clock.advance(0);
    expect(waiting.map((id) => rig.store.actions.findById(id)?.status)).toEqual(waiting.map(() => 'running'));
  });

  test('is sent: an action submitted after a change of the rules is judged by the new ones, and waits for nothing', async () => {
    const rig = startServices();
    await submitMany(rig, wait);
    rig.services.console.profiles.assign('bob', 'assist');
    expect(queued(rig).length).toBeGreaterThan(0);
    const { actionId } = await rig.submitted(wait);
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(rig.agent.sent.at(-1)?.actionId).toBe(actionId);
    rig.clock.advance(0);
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'running' });
  });

  test('counts against no quota: a user whose five hundred waiting actions were called off may submit at once', async () => {
    const rig = startServices();
    for (let count = 0; count < RUNNING + 500; count += 1) await rig.submitted(wait);
    expect(await rig.submit(wait)).toMatchObject({ refused: 'too_many_pending' });
    rig.services.console.profiles.assign('bob', 'assist');
    expect(queued(rig).length).toBeGreaterThanOrEqual(400);
    expect((await rig.submitted(wait)).status).toBe('queued');
  });

  test('after a restart runs as before, although an action before it was called off', async ({ rig }) => {
    await submitMany(rig, wait);
    rig.services.console.profiles.assign('bob', 'assist');
    const { actionId } = await rig.submitted(wait);
    const after = rig.crashAndRestart();
    expect(after.agent.sent.map((params) => params.actionId)).toEqual([actionId]);
  });
});

describe('the parts of a removed device', { timeout: 60_000 }, () => {
  test('that run are told to stop before anything else is recorded, each once', async ({ rig }) => {
    await submitMany(rig, wait);
    const before = rig.store.journal.head().seq;
    const { cancel } = rig.agent;
    const recorded: number[] = [];
    rig.agent.cancel = (...told) => {
      recorded.push(rig.store.journal.head().seq - before);
      cancel(...told);
    };
    rig.services.devices.remove('ann', rig.deviceId);
    expect(recorded).toEqual(Array.from({ length: RUNNING }, () => 1));
    rig.clock.advance(0);
    expect(rig.agent.cancelled).toHaveLength(RUNNING);
    const running = rig.store.actions.live();
    expect(running.map(({ status }) => status)).toEqual(running.map(() => 'running'));
    expect(running.every(({ cancelRequestedAtMs }) => cancelRequestedAtMs !== undefined)).toBe(true);
  });

  test('that ask can no longer be allowed, even if they are not recorded as ended yet', async ({ rig }) => {
    await submitMany(rig, wait);
    const { actionId } = await rig.submitted(screenshot);
    const prompt = firstPrompt(rig);
    show(rig);
    rig.services.devices.remove('ann', rig.deviceId);
    expect(rig.store.confirmations.find(prompt.id)).toMatchObject({ status: 'pending' });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_resolved' });
    rig.clock.advance(0);
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'cancelled' });
    expect(rig.store.confirmations.find(prompt.id)).toMatchObject({ status: 'expired' });
  });
});

describe('the steps of a task', { timeout: 60_000 }, () => {
  const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, ...wait }));

  test('of which several end in one transaction end together, and the later ones do not begin', async ({ rig }) => {
    for (let count = 0; count < RUNNING; count += 1) await rig.submitted(wait);
    const { taskId } = await submittedTask(rig, steps);
    rig.services.console.requesters.pause('ann');
    await settle();
    expect(Object.values(stepsNow(rig, taskId))).toEqual([...Array(4).fill('cancelled'), 'skipped', 'skipped']);
    expect(taskNow(rig, taskId).status).toBe('cancelled');
  });

  test('that go on after a failure are refused together, and nothing of them is sent', async ({ rig }) => {
    for (let count = 0; count < RUNNING; count += 1) await rig.submitted(wait);
    const hundred = Array.from({ length: 100 }, (_, index) => ({ id: `s${index}`, ...wait }));
    const answer = await submitTask(rig, hundred, { body: { onFailure: 'continue' } });
    if (!('task' in answer)) throw new Error('expected a task');
    let transactions = 0;
    rig.store.journal.onCommitted(() => {
      transactions += 1;
    });
    rig.services.console.requesters.pause('ann');
    await settle();
    const ended = Object.values(stepsNow(rig, answer.task.taskId));
    expect(ended).toEqual(hundred.map((_, index) => (index < 4 ? 'cancelled' : 'blocked')));
    // The pause, the ends of the four that waited for their turn, and together the refusals of the others.
    expect(transactions).toBe(1 + 4 + 1);
    expect(rig.agent.sent).toHaveLength(RUNNING);
  });

  test('that another step depends on are refused before it is looked at', async ({ rig }) => {
    for (let count = 0; count < RUNNING; count += 1) await rig.submitted(wait);
    const others = [
      { id: 'after', ...wait, dependsOn: ['f'] },
      { id: 'if failed', ...wait, dependsOn: ['f'], runIf: 'failure' as const },
    ];
    const answer = await submitTask(rig, [...steps, ...others], { body: { onFailure: 'continue' } });
    if (!('task' in answer)) throw new Error('expected a task');
    rig.services.console.requesters.pause('ann');
    await settle();
    const now = stepsNow(rig, answer.task.taskId);
    expect(now).toMatchObject({ e: 'blocked', f: 'blocked', after: 'skipped', 'if failed': 'blocked' });
  });
});

test('the prompts of a user that are denied together can be allowed no more, and end in later turns', {
  timeout: 60_000,
}, async () => {
  const rig = startServices();
  const { clock } = rig;
  for (let count = 0; count < 20; count += 1) await rig.submitted(screenshot);
  const prompt = firstPrompt(rig);
  show(rig);
  // Each denial takes two milliseconds.
  const { monotonicMs } = clock;
  const { write } = rig.store;
  let spentMs = 0;
  clock.monotonicMs = () => monotonicMs() + spentMs;
  rig.store.write = (durability, work) => {
    spentMs += 2;
    return write(durability, work);
  };
  expect(rig.services.console.confirmations.denyAllOf('ann')).toBe(20);
  const pending = rig.store.confirmations.pendingHeads();
  expect(pending.length).toBeGreaterThan(10);
  expect(rig.services.console.confirmations.list()).toEqual([]);
  const left = { ...prompt, id: pending.at(-1)?.id ?? '' };
  expect(decide(rig, 'allow', {}, left)).toMatchObject({ refused: 'confirmation_resolved' });
  clock.advance(0);
  expect(rig.store.confirmations.pendingHeads()).toEqual([]);
  const ends = rig.store.actions.page({ userId: 'ann', beforeId: 'b', limit: 20 }).map(({ status }) => status);
  expect(ends).toEqual(ends.map(() => 'denied'));
  expect(rig.services.console.status().requesters).toMatchObject([
    { userId: 'ann', waiting: 0, pausedBecause: expect.any(String) },
  ]);
});

describe('when the storage refuses', { timeout: 60_000 }, () => {
  test('the reason, nothing is called off and the waiting actions go on', async ({ rig }) => {
    await submitMany(rig, wait);
    const { write } = rig.store;
    rig.store.write = () => {
      throw new StorageUnavailable('the disk is full');
    };
    expect(() => rig.services.console.profiles.assign('bob', 'assist')).toThrow(StorageUnavailable);
    rig.store.write = write;
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(rig.agent.sent).toHaveLength(RUNNING + 1);
  });

  test('the ends alone, the call is answered, nothing is sent, and all end once the storage takes it', async () => {
    const rig = startServices();
    await submitMany(rig, wait);
    const { write } = rig.store;
    let isFull = false;
    rig.store.write = (durability, work) => {
      if (isFull) throw new StorageUnavailable('the disk is full');
      isFull = true;
      return write(durability, work);
    };
    expect(rig.services.console.profiles.assign('bob', 'assist')).toMatchObject({ items: expect.anything() });
    expect(queued(rig)).toHaveLength(MANY - RUNNING);
    rig.clock.advance(10_000);
    expect(queued(rig)).toHaveLength(MANY - RUNNING);
    rig.store.write = write;
    rig.clock.advance(1_000);
    expect(queued(rig)).toEqual([]);
    expect(rig.agent.sent).toHaveLength(RUNNING);
  });
});
