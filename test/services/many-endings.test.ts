import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { notDone, type Rig, startServices } from './rig.ts';
import { settle, stepsNow, submittedTask } from './tasks-rig.ts';

/** The actions that run at once, and more than one slice ends. */
const RUNNING = 16;
const WAITING = 120;

const wait = { parameters: { durationMs: 60_000 }, timeoutMs: 600_000 };

type Watched = { rig: Rig; transactionsByTurn: number[] };

/** Services with sixteen actions that run and 120 that wait, and how many transactions each turn of the event loop stored. */
async function startFilled(count = RUNNING + WAITING): Promise<Watched> {
  const clock = createFakeClock();
  let transactions = 0;
  const transactionsByTurn: number[] = [];
  const watched: FakeClock = {
    ...clock,
    after: (delayMs, callback) =>
      clock.after(delayMs, () => {
        const before = transactions;
        callback();
        transactionsByTurn.push(transactions - before);
      }),
  };
  const rig = startServices({ clock: watched });
  for (let index = 0; index < count; index += 1) await rig.submitted(wait);
  rig.store.journal.onCommitted(() => {
    transactions += 1;
  });
  return { rig, transactionsByTurn };
}

/** Some turns of the event loop, with the timers that are due in them. */
async function turns(rig: Rig): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    rig.clock.advance(0);
    await settle();
  }
}

const inStatus = (rig: Rig, status: string) => rig.store.actions.live().filter((row) => row.status === status);

describe('when no agent has come in ten seconds', { timeout: 60_000 }, () => {
  test('the waiting actions end in slices of a hundred, each in a turn of its own', async () => {
    const { rig, transactionsByTurn } = await startFilled();
    const waiting = inStatus(rig, 'queued').map(({ id }) => id);
    rig.agent.become('starting');
    rig.clock.advance(9_999);
    expect(inStatus(rig, 'queued')).toHaveLength(WAITING);
    transactionsByTurn.length = 0;
    rig.clock.advance(1);
    expect(transactionsByTurn.filter((stored) => stored > 0)).toEqual([100, 20]);
    expect(inStatus(rig, 'queued')).toEqual([]);
    const ended = waiting.map((id) => rig.store.actions.findById(id));
    expect(new Set(ended.map((row) => row?.error?.code))).toEqual(new Set(['agent_unavailable']));
  });

  test('none of them is sent when the agent comes before its end is recorded', async () => {
    const { rig } = await startFilled();
    rig.agent.become('starting');
    // The agent comes in the turn between the first slice and the second.
    rig.clock.after(10_000, () => rig.agent.become('online'));
    rig.clock.advance(10_000);
    expect(inStatus(rig, 'queued')).toEqual([]);
    expect(rig.agent.sent).toHaveLength(RUNNING);
  });
});

describe('when the daemon stops', { timeout: 60_000 }, () => {
  test('it tells the agent first, and records the ends of waiting actions in slices', async () => {
    const { rig, transactionsByTurn } = await startFilled();
    const ended = rig.services.end();
    await settle();
    expect(rig.agent.cancelled.map(({ reason }) => reason)).toEqual(Array.from({ length: RUNNING }, () => 'shutdown'));
    expect(inStatus(rig, 'queued').length).toBeGreaterThanOrEqual(WAITING - 100);
    for (const { key } of rig.agent.cancelled) {
      const params = rig.agent.sent.find(({ actionId }) => actionId === key.actionId);
      await rig.agent.answer(notDone({ cancelled: true }), params);
    }
    await turns(rig);
    await ended;
    expect(rig.store.actions.live()).toEqual([]);
    expect(transactionsByTurn.filter((stored) => stored > 0)).toEqual([20]);
  });

  test('it takes and sends nothing from then on', async () => {
    const { rig } = await startFilled(RUNNING + 1);
    void rig.services.end();
    expect(await rig.submit(wait)).toMatchObject({ refused: 'paused', detail: expect.stringMatching(/is stopping/) });
    await rig.agent.answer(notDone({ cancelled: true }), rig.agent.sent[0]);
    expect(rig.agent.sent).toHaveLength(RUNNING);
  });

  test('it tries to record the ends for eight seconds and no longer', async () => {
    const { rig } = await startFilled(1);
    let hasEnded = false;
    rig.store.write = () => {
      throw new StorageUnavailable('The disk is full.');
    };
    const ended = rig.services.end().finally(() => {
      hasEnded = true;
    });
    await settle();
    rig.clock.advance(7_999);
    await settle();
    expect(hasEnded).toBe(false);
    rig.clock.advance(1);
    await settle();
    expect(hasEnded).toBe(true);
    // The rest of the daemon is closed after it, so a full disk must not make it fail.
    await ended;
  });

  test('a step that was not recorded as ended in time goes on after the next start', async () => {
    const { rig } = await startFilled(RUNNING);
    const { taskId } = await submittedTask(rig, [{ id: 'a', ...wait }]);
    const ended = rig.services.end();
    await settle();
    rig.clock.advance(10_000);
    await ended;
    const after = rig.crashAndRestart();
    after.clock.advance(1);
    await settle();
    expect(stepsNow(after, taskId)).toEqual({ a: 'running' });
  });
});
