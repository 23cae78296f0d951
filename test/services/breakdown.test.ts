import { expect } from 'vitest';
import type { MetricType } from '../../src/contract/guardian.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, settle, submittedTask } from './tasks-rig.ts';

const HOUR_MS = 3_600_000;

test('breaks retries and repeats down by requester, type and device, in the last hour and over days', async () => {
  const rig = startServices();
  await waited(rig, 1);
  await waited(rig, 1);
  await waited(rig, 2);
  await waited(rig, 1, 'bob');
  for (const lengthMs of [HOUR_MS, 24 * HOUR_MS]) {
    expect(breakdownOf(rig, 'action_retry_rate', lengthMs)).toEqual({
      counted: 'Retries, and requests that repeat the same request within ten minutes',
      isShare: true,
      groups: [
        {
          by: 'requester',
          items: [
            { key: 'ann', name: 'ann', count: 1, total: 3 },
            { key: 'bob', name: 'bob', count: 0, total: 1 },
          ],
          others: 0,
        },
        { by: 'type', items: [{ key: 'Wait', name: 'Wait', count: 1, total: 4 }], others: 0 },
        { by: 'device', items: [{ key: rig.deviceId, name: 'Desk', count: 1, total: 4 }], others: 0 },
      ],
    });
  }
});

test('counts the further attempts of a step as retries of its requester', async ({ rig }) => {
  rig.agent.become('online');
  const retry = { maxAttempts: 2, backoffMs: 0 };
  const { taskId } = await submittedTask(rig, [{ id: 'wait', retry }]);
  const failed = () => notDone({ code: 'internal_error', message: 'Gone.' });
  await answerStep(rig, taskId, 'wait', failed());
  rig.clock.advance(2_000);
  await settle();
  const { retried, repeated } = countersOf(rig);
  expect(retried + repeated).toBeGreaterThan(0);
  expect(requesters(rig, 'action_retry_rate')).toMatchObject([{ key: 'ann', count: retried + repeated }]);
});

test('breaks new combinations down: the first request of a type by each requester is new', async ({ rig }) => {
  for (let count = 0; count < 3; count += 1) await waited(rig, count);
  await waited(rig, 1, 'bob');
  expect(requesters(rig, 'novel_action_share')).toEqual([
    { key: 'ann', name: 'ann', count: 1, total: 3 },
    { key: 'bob', name: 'bob', count: 1, total: 1 },
  ]);
});

test('breaks actions under a grant down, as a share of the risky ones that ran', async ({ rig }) => {
  rig.agent.become('online');
  for (const display of ['HDMI-1', 'HDMI-1', 'DP-2']) {
    await rig.submitted({ actionType: 'TakeScreenshot', parameters: { display } });
    if (rig.services.console.confirmations.list().length > 0) await answerPrompt(rig, 'allow', 'minutes15');
    await rig.agent.answer(done());
  }
  await waited(rig, 1);
  expect(countersOf(rig)).toMatchObject({ executedElevated: 3, executedByGrant: 1 });
  expect(breakdownOf(rig, 'standing_grant_share')?.groups).toEqual([
    { by: 'requester', items: [{ key: 'ann', name: 'ann', count: 1, total: 3 }], others: 0 },
    { by: 'type', items: [{ key: 'TakeScreenshot', name: 'TakeScreenshot', count: 1, total: 3 }], others: 0 },
    { by: 'device', items: [{ key: rig.deviceId, name: 'Desk', count: 1, total: 3 }], others: 0 },
  ]);
});

test('breaks failed controls down by the action that was approved without a prompt', async ({ rig }) => {
  const { actionId } = await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 1 } });
  expect(breakdownOf(rig, 'control_violations')?.groups[0]?.items).toEqual([]);
  const metadata = { status: 'queued' } as const;
  rig.store.write('relaxed', () =>
    rig.store.journal.append(rig.clock.nowMs(), { kind: 'action.allowed', userId: 'ann', actionId, metadata }),
  );
  expect(breakdownOf(rig, 'control_violations')).toMatchObject({
    isShare: false,
    groups: [
      { by: 'requester', items: [{ key: 'ann', count: 1, total: 1 }] },
      { by: 'type', items: [{ key: 'Wait', count: 1 }] },
      { by: 'device', items: [{ key: rig.deviceId, count: 1 }] },
    ],
  });
});

test('an hour later, what was counted is in the day and no longer in the last hour', async ({ rig }) => {
  await waited(rig, 1);
  rig.clock.advance(HOUR_MS + 60_000);
  expect(requesters(rig, 'novel_action_share', HOUR_MS)).toEqual([]);
  expect(requesters(rig, 'novel_action_share', 24 * HOUR_MS)).toMatchObject([{ key: 'ann', count: 1, total: 1 }]);
});

test('a transaction that was rolled back leaves no counts', async ({ rig }) => {
  await waited(rig, 1);
  const { actionId } = await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 2 } });
  const append = () =>
    rig.store.journal.append(rig.clock.nowMs(), {
      kind: 'action.allowed',
      userId: 'ann',
      actionId,
      metadata: { status: 'queued' },
    });
  expect(() =>
    rig.store.write('relaxed', () => {
      append();
      throw new Error('the disk is full');
    }),
  ).toThrow('the disk is full');
  await waited(rig, 3);
  expect(breakdownOf(rig, 'control_violations')?.groups[0]?.items).toEqual([]);
});

async function waited(rig: Rig, durationMs: number, userId = 'ann'): Promise<void> {
  rig.agent.become('online');
  const targetDeviceId = userId === 'ann' ? rig.deviceId : deviceOf(rig, userId);
  const answer = rig.submit({ targetDeviceId, parameters: { durationMs } }, { userId });
  await new Promise(setImmediate);
  await rig.agent.answer(done());
  await answer;
}

function deviceOf({ services }: Rig, userId: string): string {
  return services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: {} }).device.id;
}

function breakdownOf({ services }: Rig, type: MetricType, lengthMs = HOUR_MS) {
  const wanted = { types: [type], points: 25, withUsual: false, breakdownOf: type };
  return services.guardian.consoleSeries({ lengthMs }, wanted).breakdown;
}

function requesters(rig: Rig, type: MetricType, lengthMs = HOUR_MS) {
  return breakdownOf(rig, type, lengthMs)?.groups.find(({ by }) => by === 'requester')?.items;
}

function countersOf({ store, clock }: Rig) {
  const nowMs = clock.nowMs();
  return store.recording.recorded({ fromMs: 0, toMs: nowMs + 60_000 }, nowMs).rollup.counters;
}
