import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { dataDirectoryAt } from '../../src/store/data-directory.ts';
import type { Store } from '../../src/store/store.ts';
import { createTrendAssessor } from '../../src/store/trend-assessor.ts';
import { open } from './rig.ts';

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
  expect(found[0]?.durationMs).toBeGreaterThan(2_400);
  expect(found[0]?.usualMs).toBeLessThan(450);
  expect(ask()).toEqual(found);
  // Whoever starts anew learns the same from the same past.
  const anew = asking(store, nowMs);
  anew();
  expect(anew()).toEqual(found);
});

function asking(store: Store, nowMs: number) {
  const database = new Database(dataDirectoryAt(store.path).database, { readonly: true });
  onTestFinished(() => void database.close());
  const assess = createTrendAssessor(database, { windowsKept: 100 });
  const windows = [{ window: '5m' as const, toMs: nowMs - MINUTE_MS, utcOffsetMs: 0 }];
  return () => assess({ windows, up: store.recording.upNow(), nowMs }).slowOnsets;
}

/** So many actions in a quarter of an hour, each of which takes so long. */
function live(store: Store, quarter: number, tookMs: number): void {
  store.write('relaxed', () => {
    if (quarter === 0) store.journal.append(0, { kind: 'daemon.started' });
    for (let index = 0; index < ACTIONS; index += 1) {
      const atMs = quarter * QUARTER_MS + index * 30_000;
      const actionId = `act_${quarter}_${index}`;
      const request = { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', digest: actionId };
      store.journal.append(atMs, { kind: 'action.requested', userId: 'ann', actionId, metadata: request });
      store.journal.append(atMs, { kind: 'action.dispatched', actionId, metadata: { status: 'running', attempt: 1 } });
      store.journal.append(atMs + tookMs, { kind: 'action.succeeded', actionId, metadata: { status: 'success' } });
    }
  });
}
