import { expect, it } from 'vitest';
import { shownTrend } from '../../src/services/guardian/shown.ts';
import { createFakeClock } from './fake-clock.ts';
import { parsedPage } from './page-items.ts';
import { done, type Rig, startServices } from './rig.ts';

const NOBODY = { kind: 'nobody' } as const;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

it('answers how long an action took to a tenth of a millisecond, and stores it exactly', async () => {
  const clock = createFakeClock();
  const rig = startServices({ clock: { ...clock, monotonicMs: () => clock.monotonicMs() / 3 } });
  const { actionId } = await ran(rig, 100);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ durationMs: 33.3 });
  expect(await parsedPage(rig.services.guardian.actionLog(NOBODY, { limit: 1 }))).toMatchObject({
    items: [{ durationMs: 33.3 }],
  });
  expect(rig.store.actions.findById(actionId)?.durationMs).toBe(100 / 3);
});

it('answers shares to four decimals and times to a tenth of a millisecond', async () => {
  const rig = startServices();
  rig.agent.become('online');
  for (let count = 0; count < 20; count += 1) await ran(rig, 1_000 + 7 * count);
  const { guardian } = rig.services;
  const { metrics, risk } = guardian.dashboard(NOBODY, { lengthMs: HOUR_MS });
  const { actions } = guardian.telemetry(NOBODY, { lengthMs: HOUR_MS });
  const { points } = guardian.series('action_latency_p95', { lengthMs: 5 * MINUTE_MS }, 1);
  const inTenths = [...metrics, ...points].flatMap((each) => ('unit' in each && each.unit !== 'ms' ? [] : each.value));
  const shares = [risk.confidence, ...metrics.filter(({ unit }) => unit !== 'ms').map(({ value }) => value)];
  const coverage = [...metrics, ...points].map((each) => each.coverage);
  expect([...inTenths, ...Object.values(actions.durationMs)].filter(isLongerThan(1))).toEqual([]);
  expect([...shares, ...coverage].filter(isLongerThan(4))).toEqual([]);
  expect(points[0]?.value).toBeGreaterThan(1_000);
});

it('answers a trend in the unit of its metric', () => {
  const shown = shownTrend({
    metricType: 'action_latency_p95',
    window: '1h',
    classification: 'spike',
    zScore: 4.567891,
    changePercent: 133.333333,
    effect: 'worsening',
    baseline: { windows: 28, median: 5.0531712265062385 },
    current: 11.7890123,
  });
  expect(shown).toMatchObject({
    zScore: 4.57,
    changePercent: 133.3,
    baseline: { median: 5.1 },
    current: 11.8,
  });
});

async function ran(rig: Rig, forMs: number): Promise<{ actionId: string }> {
  const action = await rig.submitted({ parameters: { durationMs: 1 } });
  rig.clock.advance(forMs);
  await rig.agent.answer(done());
  return action;
}

function isLongerThan(decimals: number): (value: number | null) => boolean {
  return (value) => value !== null && value !== Number(value.toFixed(decimals));
}
