import { encodeTime } from 'ulid';
import { DAY_MS, LOOKED_AT } from '../../guardian/insights/facts.ts';
import { TREND_WINDOWS } from '../../guardian/metrics/metric-window.ts';
import { isSlowerThanItsKinds } from '../../guardian/statistics/kind-mix.ts';
import type { Trend } from '../../guardian/trends/trend.ts';
import type { Context } from '../context.ts';

const METRIC = 'action_latency_p95';

/**
 * Tells slower actions from other actions: a longer latency of which the mix of kinds is the whole reason stays a fact, and is no warning.
 * The durations from before a moment do not change, so they are read once.
 */
export function createLatencyMix({ store, clock }: Context) {
  let known: { sinceMs: number; earlier: ReturnType<Context['store']['evidence']['ran']> } | undefined;

  function isSlowerSince(sinceMs: number): boolean {
    const idAt = (atMs: number) => `act_${encodeTime(Math.max(0, atMs), 10)}`;
    const afterId = idAt(Math.max(sinceMs, clock.nowMs() - DAY_MS));
    const now = store.evidence
      .requests({ afterId, limit: LOOKED_AT.requests })
      .flatMap(({ actionType, durationMs }) => (durationMs === null ? [] : { actionType, durationMs }));
    if (known?.sinceMs !== sinceMs)
      known = { sinceMs, earlier: store.evidence.ran({ beforeId: idAt(sinceMs), limit: LOOKED_AT.ran }) };
    return isSlowerThanItsKinds(now, known.earlier);
  }

  return (trend: Trend): Trend => {
    const { metricType, window, openedAtMs, severity } = trend;
    if (metricType !== METRIC || openedAtMs === null || severity === 'info') return trend;
    return isSlowerSince(openedAtMs - TREND_WINDOWS[window]) ? trend : { ...trend, severity: 'info' };
  };
}
