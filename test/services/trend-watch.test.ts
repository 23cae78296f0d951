import { expect, it } from 'vitest';
import type { Trend } from '../../src/contract/guardian.ts';
import { createTrendWatch } from '../../src/services/guardian/trend-watch.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { type Rig, startServices } from './rig.ts';

const MINUTE_MS = 60_000;

it('has nothing to say of any metric in any window while there is no past to compare with', async () => {
  const { watch } = start();
  await watch.assess();
  const said = watch.list().map(({ classification }) => classification);
  expect([said.length, new Set(said)]).toEqual([23 * 7, new Set(['insufficient_data'])]);
});

it('sees a metric leave what was usual, and weighs it', async () => {
  const { rig, watch } = start();
  for (let window = 0; window < 32; window += 1) request(rig, { times: 2 + (window % 2), withinMs: 5 * MINUTE_MS });
  request(rig, { times: 80, withinMs: 5 * MINUTE_MS });
  settle(rig);
  await watch.assess();
  const [trend] = watch.list(['5m']).filter(({ metricType }) => metricType === 'action_burst_peak');
  expect(trend).toMatchObject({
    window: '5m',
    classification: 'spike',
    effect: 'worsening',
    changeKind: 'from_zero',
    baseline: { kind: 'trailing', windows: 28 },
    openedAt: new Date(rig.clock.nowMs() - 2_000).toISOString(),
    severity: 'info',
  });
});

it('goes on after a restart as if there had been none', { timeout: 30_000 }, async () => {
  const { rig, watch } = start();
  for (let window = 0; window < 32; window += 1) request(rig, { times: 2 + (window % 2), withinMs: 5 * MINUTE_MS });
  request(rig, { times: 80, withinMs: 5 * MINUTE_MS });
  settle(rig);
  await watch.assess();
  const before = watch.list(['5m']).filter(({ zScore }) => zScore !== null);
  const after = watchOf(rig.crashAndRestart());
  const known = () => after.list(['5m']).filter(({ zScore }) => zScore !== null);
  expect([before.length > 5, known()]).toEqual([true, before]);
  await after.assess();
  const opened = (trends: readonly Trend[]) => trends.map(({ openedAt }) => openedAt).filter((at) => at !== null);
  expect([opened(before).length > 0, opened(known())]).toEqual([true, opened(before)]);
});

it('says nothing of a window most of which passed while the daemon was down', async () => {
  const { rig, watch } = start();
  for (let window = 0; window < 32; window += 1) request(rig, { times: 2 + (window % 2), withinMs: 5 * MINUTE_MS });
  rig.store.write('relaxed', () => rig.store.journal.append(rig.clock.nowMs(), { kind: 'daemon.stopped' }));
  rig.clock.advance(3 * MINUTE_MS);
  rig.store.write('relaxed', () =>
    rig.store.journal.append(rig.clock.nowMs(), fromOtherBuild({ kind: 'daemon.started' })),
  );
  rig.clock.advance(2 * MINUTE_MS);
  settle(rig);
  await watch.assess();
  const [trend] = watch.list(['5m']).filter(({ metricType }) => metricType === 'action_rate');
  expect(trend).toMatchObject({ classification: 'insufficient_data', zScore: null });
});

it('compares a span with the window nearest to its length that has a baseline', async () => {
  const { rig, watch } = start();
  for (let window = 0; window < 32; window += 1) request(rig, { times: 2, withinMs: 5 * MINUTE_MS });
  settle(rig);
  await watch.assess();
  const median = (hours: number) => watch.baselineMedian('action_rate', hours * 60 * MINUTE_MS);
  expect([median(0.05), median(24), watch.baselineMedian('action_latency_p95', MINUTE_MS)]).toEqual([8, 24, null]);
});

it('assesses nothing a second time while it is at work', async () => {
  const { rig } = start();
  let assessments = 0;
  const store: Rig['store'] = {
    ...rig.store,
    assessTrends(wanted) {
      assessments += 1;
      return rig.store.assessTrends(wanted);
    },
  };
  const watch = watchOf({ ...rig, store });
  await Promise.all([watch.assess(), watch.assess()]);
  expect(assessments).toBe(1);
  rig.clock.advance(5 * MINUTE_MS);
  await watch.assess();
  expect(assessments).toBe(2);
});

it('calls what stays as it was stable', async () => {
  const { rig, watch } = start();
  for (let window = 0; window < 32; window += 1) request(rig, { times: 2 + (window % 2), withinMs: 5 * MINUTE_MS });
  settle(rig);
  await watch.assess();
  const [trend] = watch.list(['5m']).filter(({ metricType }) => metricType === 'action_rate');
  expect(trend).toMatchObject({ classification: 'stable', openedAt: null, effect: 'neutral' });
});

function start() {
  const rig = startServices();
  return { rig, watch: watchOf(rig) };
}

function watchOf({ store, clock }: Rig) {
  const log = { info: quiet, warn: quiet, error: quiet };
  return createTrendWatch({ store, clock, log, newId: (prefix: string) => prefix });
}

/** So many requests spread evenly over some time, at whose end the clock then stands. */
function request(rig: Rig, { times, withinMs }: { times: number; withinMs: number }): void {
  const fromMs = rig.clock.nowMs();
  rig.store.write('relaxed', () => {
    for (let count = 0; count < times; count += 1) {
      const event = fromOtherBuild({
        kind: 'action.requested',
        userId: 'ann',
        actionId: `act_${fromMs}_${count}`,
        metadata: { type: 'Wait', risk: 'low', verdict: 'block', by: 'profile', digest: `${fromMs} ${count}` },
      });
      rig.store.journal.append(fromMs + Math.floor((count * withinMs) / times), event);
    }
  });
  rig.clock.advance(withinMs);
}

/** What happened is assessed when it has settled. */
function settle(rig: Rig): void {
  rig.clock.advance(2_000);
}

function quiet(): void {
  return;
}
