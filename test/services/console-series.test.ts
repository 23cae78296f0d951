import { expect, it } from 'vitest';
import type { ActionSubmission } from '../../src/contract/action.ts';
import type { MetricType } from '../../src/contract/guardian.ts';
import { METRIC_TYPES } from '../../src/contract/metrics.ts';
import { firstPrompt } from './answers.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { answerStep, submittedTask, taskNow } from './tasks-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

it('has the value of each part and its usual range at the same time of the days before', async () => {
  const rig = startServices();
  const firstMs = rig.clock.nowMs();
  for (let day = 0; day < 9; day += 1) {
    rig.clock.setWallClock(firstMs + day * DAY_MS);
    for (let count = 0; count < 2; count += 1) await ran(rig);
  }
  rig.clock.setWallClock(firstMs + 9 * DAY_MS + MINUTE_MS);
  for (let count = 0; count < 5; count += 1) await ran(rig);
  const { stepMs, items } = series(rig, 'action_burst_peak', { lengthMs: DAY_MS });
  expect(stepMs).toBe(HOUR_MS);
  expect(items).toHaveLength(1);
  const points = items[0]?.points ?? [];
  expect(points.at(-1)).toMatchObject({ value: 5, sampleSize: 5, usual: { low: 2, high: 2 } });
  expect(points.at(-3)).toMatchObject({ value: 0, usual: { low: 0, high: 0 } });
});

it('has no usual range with fewer than eight earlier days, or where the range was not asked for', async () => {
  const rig = startServices();
  const firstMs = rig.clock.nowMs();
  for (let day = 0; day < 8; day += 1) {
    rig.clock.setWallClock(firstMs + day * DAY_MS);
    await ran(rig);
  }
  const last = (withUsual: boolean) =>
    series(rig, 'action_rate', { lengthMs: DAY_MS }, { withUsual }).items[0]?.points.at(-1);
  expect(last(true)).toMatchObject({ usual: null });
  expect(last(false)).not.toHaveProperty('usual');
});

it.each([
  [20, 28, 5],
  [29, 40, 0],
])(
  'knows what is usual from the 28 days before: after 5 actions on each of the days %i to %i before, it goes to %i',
  async (last, first, high) => {
    const rig = startServices();
    const nowMs = rig.clock.nowMs() + 60 * DAY_MS;
    for (let day = first; day >= last; day -= 1) {
      rig.clock.setWallClock(nowMs - day * DAY_MS);
      for (let count = 0; count < 5; count += 1) await ran(rig);
    }
    rig.clock.setWallClock(nowMs + MINUTE_MS);
    const points = series(rig, 'action_burst_peak', { lengthMs: DAY_MS }).items[0]?.points;
    expect(points?.at(-1)).toMatchObject({ usual: { low: 0, high } });
  },
);

it.each([
  ['three hours', 3 * HOUR_MS, { low: 0, high: 0 }],
  ['a minute more', 3 * HOUR_MS + MINUTE_MS, null],
])('has usual ranges of parts below an hour over three hours at most: %s', (_what, lengthMs, usual) => {
  const rig = startServices();
  rig.clock.setWallClock(rig.clock.nowMs() + 30 * DAY_MS);
  const { stepMs, items } = series(rig, 'action_burst_peak', { lengthMs });
  expect([stepMs, items[0]?.points.at(-1)?.usual]).toEqual([10 * MINUTE_MS, usual]);
});

it('shows at once what happens after it was asked for', async () => {
  const rig = startServices();
  rig.clock.advance(MINUTE_MS);
  const value = () => series(rig, 'action_burst_peak', { lengthMs: HOUR_MS }).items[0]?.points.at(-1)?.value;
  expect(value()).toBe(0);
  await ran(rig);
  expect(value()).toBe(1);
});

it('counts outcomes over time, with prompts and pauses', async () => {
  const rig = startServices();
  await ran(rig);
  await ran(rig, 'fails');
  await rig.submit({ actionType: 'TakeScreenshot' }, { waitMs: 0 });
  rig.services.console.pause();
  const { points } = rig.services.guardian.outcomes({ lengthMs: DAY_MS }, 48);
  expect(points.length).toBeLessThanOrEqual(48);
  expect(points.at(-1)).toMatchObject({ succeeded: 1, failed: 1, denied: 0, notDone: 1, prompts: 1, pauses: 1 });
});

it('breaks a metric down by requester, type and device, with names that look like properties of objects', async () => {
  const rig = startServices();
  const device = { type: 'linux', name: '<img src=x onerror=alert(1)> \u202e', capabilities: {} };
  const other = rig.services.devices.register('__proto__', device).device.id;
  await ran(rig);
  await ran(rig);
  await ran(rig, 'fails', { userId: '__proto__', deviceId: other });
  const { breakdown } = series(
    rig,
    'action_success_rate',
    { lengthMs: HOUR_MS },
    { breakdownOf: 'action_success_rate' },
  );
  expect(breakdown).toEqual({
    counted: 'Actions that succeeded',
    isShare: true,
    groups: [
      {
        by: 'requester',
        items: [
          { key: 'ann', name: 'ann', count: 2, total: 2 },
          { key: '__proto__', name: '__proto__', count: 0, total: 1 },
        ],
        others: 0,
      },
      { by: 'type', items: [{ key: 'Wait', name: 'Wait', count: 2, total: 3 }], others: 0 },
      {
        by: 'device',
        items: [
          { key: rig.deviceId, name: 'Desk', count: 2, total: 2 },
          { key: other, name: device.name, count: 0, total: 1 },
        ],
        others: 0,
      },
    ],
  });
});

it('has a breakdown of every metric but the readiness of the one agent', () => {
  const rig = startServices();
  const without = METRIC_TYPES.filter(
    (breakdownOf) => series(rig, breakdownOf, { lengthMs: HOUR_MS }, { breakdownOf }).breakdown === null,
  );
  expect(without).toEqual(['device_readiness']);
});

it('breaks tasks down by requester: those that succeeded, ended, or were stopped by the person', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const one = () => submittedTask(rig, [{ id: 'wait' }]);
  const done1 = await one();
  await answerStep(rig, done1.taskId, 'wait', done());
  const failed = await one();
  await answerStep(rig, failed.taskId, 'wait', notDone());
  const stopped = await one();
  rig.services.console.tasks.cancelByPerson(stopped.taskId);
  await answerStep(rig, stopped.taskId, 'wait', notDone({ cancelled: true, sideEffect: 'none' }));
  await expect.poll(() => taskNow(rig, stopped.taskId).status).toBe('cancelled');
  const groupsOf = (breakdownOf: MetricType) =>
    series(rig, breakdownOf, { lengthMs: HOUR_MS }, { breakdownOf }).breakdown?.groups;
  const parts = (count: number, total: number) => [
    { by: 'requester', items: [{ key: 'ann', name: 'ann', count, total }], others: 0 },
  ];
  expect(groupsOf('task_success_rate')).toEqual(parts(1, 2));
  expect(groupsOf('task_duration_p95')).toEqual(parts(3, 3));
  expect(groupsOf('human_intervention_rate')).toEqual(parts(1, 3));
});

it('leaves a task that failed by a denial out of those that could have succeeded', async () => {
  const rig = startServices();
  await submittedTask(rig, [{ id: 'shot', actionType: 'TakeScreenshot', parameters: {} }]);
  rig.services.console.confirmations.denyAllOf('ann');
  const breakdownOf = 'task_success_rate' as const;
  const { breakdown } = series(rig, breakdownOf, { lengthMs: HOUR_MS }, { breakdownOf });
  expect(breakdown?.groups).toEqual([{ by: 'requester', items: [], others: 0 }]);
});

it('breaks hasty approvals down by requester, type and device, as the metric counts them', async () => {
  const rig = startServices();
  await allowedAfter(rig, { parameters: {} }, 0);
  await allowedAfter(rig, { parameters: { display: 'HDMI-1' } }, 5_000);
  const breakdownOf = 'hasty_approval_share' as const;
  const { breakdown } = series(rig, breakdownOf, { lengthMs: HOUR_MS }, { breakdownOf });
  const part = (key: string, name = key) => ({ key, name, count: 1, total: 2 });
  expect(breakdown?.groups).toEqual([
    { by: 'requester', items: [part('ann')], others: 0 },
    { by: 'type', items: [part('TakeScreenshot')], others: 0 },
    { by: 'device', items: [part(rig.deviceId, 'Desk')], others: 0 },
  ]);
});

it('breaks prompts down by requester, type and device, plans among them', async () => {
  const rig = startServices();
  const shot = { actionType: 'TakeScreenshot', parameters: {} };
  await rig.submitted(shot);
  rig.services.console.confirmations.denyAllOf('ann');
  await rig.submitted({ ...shot, parameters: { display: 'HDMI-1' } });
  await submittedTask(rig, [
    { id: 'look', actionType: 'OpenApp', parameters: { appName: 'xterm' } },
    { id: 'wait', actionType: 'Wait', parameters: { durationMs: 1 } },
  ]);
  const breakdownOf = 'confirmation_prompt_rate' as const;
  const { breakdown } = series(rig, breakdownOf, { lengthMs: HOUR_MS }, { breakdownOf });
  const part = (key: string, count: number, name = key) => ({ key, name, count, total: count });
  expect(breakdown).toEqual({
    counted: 'Prompts',
    isShare: false,
    groups: [
      { by: 'requester', items: [part('ann', 3)], others: 0 },
      { by: 'type', items: [part('TakeScreenshot', 2), part('', 1, 'plans of several steps')], others: 0 },
      { by: 'device', items: [part(rig.deviceId, 2, 'Desk'), part('', 1, 'plans of several steps')], others: 0 },
    ],
  });
});

it('breaks the answered prompts down into the share that was allowed', async () => {
  const rig = startServices();
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
  rig.services.console.confirmations.denyAllOf('ann');
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: { display: 'HDMI-1' } });
  const breakdownOf = 'confirmation_approval_rate' as const;
  const { breakdown } = series(rig, breakdownOf, { lengthMs: HOUR_MS }, { breakdownOf });
  expect(breakdown?.groups[0]).toEqual({
    by: 'requester',
    items: [{ key: 'ann', name: 'ann', count: 0, total: 1 }],
    others: 0,
  });
});

it('lists the twenty largest parts and says how many more there are', async () => {
  const rig = startServices();
  for (let count = 0; count < 21; count += 1) await ran(rig, 'fails', { userId: `user${count}` });
  const { breakdown } = series(rig, 'action_rate', { lengthMs: 2 * HOUR_MS }, { breakdownOf: 'action_rate' });
  expect(breakdown?.groups[0]).toMatchObject({ by: 'requester', others: 1 });
  expect(breakdown?.groups[0]?.items).toHaveLength(20);
});

/** A screenshot that the person allows so long after it could be answered. */
async function allowedAfter(rig: Rig, body: Pick<ActionSubmission, 'parameters'>, afterMs: number) {
  await rig.submitted({ actionType: 'TakeScreenshot', ...body });
  const prompt = firstPrompt(rig);
  const { id, nonce, actionDigest } = prompt;
  rig.services.console.confirmations.shown(id);
  rig.clock.advance(1_000 + afterMs);
  rig.services.console.confirmations.decide(id, { decision: 'allow', scope: 'once', nonce, actionDigest });
}

type Whose = { userId?: string; deviceId?: string };

async function ran(rig: Rig, how: 'works' | 'fails' = 'works', { userId = 'ann', deviceId }: Whose = {}) {
  const own = deviceId ?? (userId === 'ann' ? rig.deviceId : deviceOf(rig, userId));
  const body = { targetDeviceId: own, parameters: { durationMs: 1 } };
  const answer = rig.submit(body, { userId });
  await new Promise(setImmediate);
  await rig.agent.answer(how === 'works' ? done() : notDone());
  await answer;
}

function deviceOf({ services }: Rig, userId: string): string {
  return services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: {} }).device.id;
}

type Wanted = { withUsual?: boolean; breakdownOf?: MetricType };

function series(
  { services }: Rig,
  type: MetricType,
  request: { lengthMs: number },
  { withUsual = true, breakdownOf }: Wanted = {},
) {
  return services.guardian.consoleSeries(request, { types: [type], points: 25, withUsual, breakdownOf });
}
