import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { emptyRollup } from '../../../src/guardian/recording/rollup.ts';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import { createMetricOnsetReader } from '../../../src/store/guardian/metric-onsets.ts';
import { createTrendAssessor } from '../../../src/store/guardian/trend-assessor.ts';
import type { Store } from '../../../src/store/store.ts';
import { fromOtherBuild } from '../other-build.ts';
import { open } from '../rig.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const QUARTERS = 250;
/** As many as the latency of actions needs to be measured. */
const ACTIONS = 20;

it('finds in the counted past when actions began to be slow, learning it a piece at a time', () => {
  const store = open();
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) live(store, quarter, 400 + (quarter % 5) * 10);
  live(store, QUARTERS, 2_500);
  const nowMs = (QUARTERS + 1) * QUARTER_MS + MINUTE_MS;
  const ask = asking(store, nowMs);
  expect(ask()).toEqual([]);
  const found = ask();
  expect(found).toMatchObject([{ metricType: 'action_latency_p95', atMs: (QUARTERS + 1) * QUARTER_MS }]);
  expect(found[0]?.value).toBeGreaterThan(2_400);
  expect(found[0]?.usual).toBeLessThan(450);
  expect(ask()).toEqual(found);
  // A reader that starts anew learns the same from the same past.
  const anew = asking(store, nowMs);
  anew();
  expect(anew()).toEqual(found);
});

it('measures quarters and hours of an hour in which something was counted once, and only when they are over', () => {
  const store = open();
  for (const quarter of [0, 1, 3, 4, 9]) live(store, quarter, 400);
  const read = createMetricOnsetReader(reading(store));
  const spansUntil = (quarter: number) => {
    const spans: [number, number][] = [];
    const recorded = (span: { fromMs: number; toMs: number }) => {
      spans.push([span.fromMs / QUARTER_MS, span.toMs / QUARTER_MS]);
      return { rollup: emptyRollup(), upTime: { upMs: 0, unlockedMs: 0, readyMs: 0 }, lengthMs: 1 };
    };
    read({ toMs: quarter * QUARTER_MS + MINUTE_MS, utcOffsetMs: 0, recorded });
    return spans;
  };
  expect([spansUntil(3), spansUntil(5), spansUntil(5), spansUntil(11), spansUntil(12)]).toEqual([
    [
      [0, 1],
      [1, 2],
    ],
    [
      [3, 4],
      [0, 4],
      [4, 5],
    ],
    [],
    [
      [4, 8],
      [9, 10],
    ],
    [[8, 12]],
  ]);
});

it('learns from the last 28 days', () => {
  const store = open();
  for (const quarter of [3, 4]) live(store, quarter, 400);
  const begins: number[] = [];
  const recorded = ({ fromMs }: { fromMs: number }) => {
    begins.push(fromMs / QUARTER_MS);
    return { rollup: emptyRollup(), upTime: { upMs: 0, unlockedMs: 0, readyMs: 0 }, lengthMs: 1 };
  };
  const read = createMetricOnsetReader(reading(store));
  read({ toMs: (4 + 28 * 24 * 4) * QUARTER_MS, utcOffsetMs: 0, recorded });
  expect(new Set(begins)).toEqual(new Set([4]));
});

function reading(store: Store) {
  const database = new Database(dataDirectoryAt(store.path).database, { readonly: true });
  onTestFinished(() => void database.close());
  return database;
}

function asking(store: Store, nowMs: number) {
  const assess = createTrendAssessor(reading(store), { windowsKept: 100 });
  const windows = [{ window: '5m' as const, toMs: nowMs - MINUTE_MS, utcOffsetMs: 0 }];
  return () => assess({ windows, up: store.recording.upNow(), nowMs }).metricOnsets;
}

/** So many actions in a quarter of an hour, each of which takes so long. */
function live(store: Store, quarter: number, tookMs: number): void {
  store.write('relaxed', () => {
    if (quarter === 0) store.journal.append(0, fromOtherBuild({ kind: 'daemon.started' }));
    for (let index = 0; index < ACTIONS; index += 1) {
      const atMs = quarter * QUARTER_MS + index * 30_000;
      const actionId = `act_${quarter}_${index}`;
      const metadata = { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', digest: actionId };
      const requested = { kind: 'action.requested', userId: 'ann', actionId, metadata };
      store.journal.append(atMs, fromOtherBuild(requested));
      store.journal.append(atMs, { kind: 'action.dispatched', actionId, metadata: { status: 'running', attempt: 1 } });
      store.journal.append(atMs + tookMs, { kind: 'action.succeeded', actionId, metadata: { status: 'success' } });
    }
  });
}
