import { expect, it } from 'vitest';
import { createTrendWatch } from '../../src/services/guardian/trend-watch.ts';
import { createWindows } from '../../src/services/guardian/windows.ts';
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
  for (let window = 0; window < 40; window += 1) request(rig, { times: 2 + (window % 2), withinMs: 5 * MINUTE_MS });
  request(rig, { times: 80, withinMs: 5 * MINUTE_MS });
  await watch.assess();
  const [trend] = watch.list(['5m']).filter(({ metricType }) => metricType === 'action_burst_peak');
  expect(trend).toMatchObject({
    window: '5m',
    classification: 'spike',
    effect: 'worsening',
    changeKind: 'percent',
    baseline: { kind: 'trailing', windows: 28 },
    openedAt: new Date(rig.clock.nowMs()).toISOString(),
    severity: 'high',
  });
  expect(watch.worseningZ('action_burst_peak')).toBe(trend?.zScore);
});

it('calls what stays as it was stable', async () => {
  const { rig, watch } = start();
  for (let window = 0; window < 40; window += 1) request(rig, { times: 2 + (window % 2), withinMs: 5 * MINUTE_MS });
  await watch.assess();
  const [trend] = watch.list(['5m']).filter(({ metricType }) => metricType === 'action_rate');
  expect(trend).toMatchObject({ classification: 'stable', openedAt: null, effect: 'neutral' });
});

function start() {
  const rig = startServices();
  const log = { info: quiet, warn: quiet, error: quiet };
  const context = { store: rig.store, clock: rig.clock, log, newId: (prefix: string) => prefix };
  return { rig, watch: createTrendWatch(context, createWindows(context)) };
}

/** So many requests spread evenly over some time, at whose end the clock then stands. */
function request(rig: Rig, { times, withinMs }: { times: number; withinMs: number }): void {
  const fromMs = rig.clock.nowMs();
  rig.store.write('relaxed', () => {
    for (let count = 0; count < times; count += 1) {
      rig.store.journal.append(fromMs + Math.floor((count * withinMs) / times), {
        kind: 'action.requested',
        userId: 'ann',
        actionId: `act_${fromMs}_${count}`,
        metadata: { type: 'Wait', risk: 'low', verdict: 'block', by: 'profile', digest: `${fromMs} ${count}` },
      });
    }
  });
  rig.clock.advance(withinMs);
}

function quiet(): void {
  return;
}
