import { encodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { type Trend, trendBeforeAll } from '../../src/guardian/trends/trend.ts';
import { createLatencyMix } from '../../src/services/guardian/latency-mix.ts';
import { action, device } from '../store/rig.ts';
import { type Rig, startServices } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('a longer latency of the same kinds of actions stays a warning', () => {
  const { rig, mix, trend } = start();
  carryOut(rig, 30, { agoMs: 30 * MINUTE_MS, durationMs: 300 });
  expect(mix(trend)).toBe(trend);
});

test('one that only the mix of kinds explains is a fact and no warning, until the same kinds are slower', () => {
  const { rig, mix, trend } = start();
  carryOut(rig, 30, { agoMs: 30 * MINUTE_MS, actionType: 'RunScript', durationMs: 2_000 });
  expect(mix(trend)).toEqual({ ...trend, severity: 'info' });
  carryOut(rig, 30, { agoMs: 10 * MINUTE_MS, actionType: 'RunScript', durationMs: 8_000 });
  expect(mix(trend)).toBe(trend);
});

test('no other metric, and nothing that is no warning, is looked at', () => {
  const { rig, mix, trend } = start();
  carryOut(rig, 30, { agoMs: 30 * MINUTE_MS, actionType: 'RunScript', durationMs: 2_000 });
  for (const other of [
    { ...trend, metricType: 'task_duration_p95' as const },
    { ...trend, severity: 'info' as const },
    { ...trend, openedAtMs: null },
  ])
    expect(mix(other)).toBe(other);
});

/** Two hours ago clicks and scripts ran, each kind as it usually does; an hour ago the latency rose. */
function start() {
  const rig = startServices();
  rig.store.write('durable', () => rig.store.devices.insert(device()));
  carryOut(rig, 200, { agoMs: 2 * HOUR_MS, durationMs: 100 });
  carryOut(rig, 10, { agoMs: 2 * HOUR_MS, actionType: 'RunScript', durationMs: 2_000 });
  const log = { info: quiet, warn: quiet, error: quiet };
  const mix = createLatencyMix({ store: rig.store, clock: rig.clock, log, newId: (prefix: string) => prefix });
  const atMs = rig.clock.nowMs() - 45 * MINUTE_MS;
  const trend: Trend = {
    ...trendBeforeAll('action_latency_p95', '15m'),
    effect: 'worsening',
    severity: 'warning',
    openedAtMs: atMs,
  };
  return { rig, mix, trend };
}

let carriedOut = 0;

/** So many actions, requested that long ago. */
function carryOut(
  { store, clock }: Rig,
  times: number,
  { agoMs, actionType = 'Click', durationMs }: { agoMs: number; actionType?: string; durationMs: number },
): void {
  const createdAtMs = clock.nowMs() - agoMs;
  store.write('durable', () => {
    for (let count = 0; count < times; count += 1) {
      carriedOut += 1;
      const id = `act_${encodeTime(createdAtMs, 10)}${String(carriedOut).padStart(16, '0')}`;
      store.actions.insert(action({ id, actionType, createdAtMs, startedAtMs: createdAtMs, durationMs }));
    }
  });
}

function quiet(): void {
  return;
}
