import { expect, it } from 'vitest';
import { createSleepWatch } from '../../../src/services/lifecycle/clock-watch.ts';
import { startServices } from '../rig.ts';

const MINUTE_MS = 60_000;

it('takes time that nobody saw pass for a gap, and minutes for time in which nothing happened', () => {
  const { services, store, clock } = startServices();
  const look = createSleepWatch({ store, clock, log: console, newId: (prefix) => prefix });
  const lookAfter = (minutes: number) => {
    clock.advance(minutes * MINUTE_MS);
    look();
  };
  for (let minute = 0; minute < 30; minute += 1) lookAfter(1);
  lookAfter(60);
  for (let minute = 0; minute < 30; minute += 1) lookAfter(1);
  const [rate] = services.guardian.metrics({ lengthMs: 120 * MINUTE_MS }, ['action_rate']).items;
  expect(rate?.coverage).toBeCloseTo(0.5, 2);
  expect(store.journal.readAfter(0, 100).filter(({ kind }) => kind === 'daemon.slept')).toHaveLength(1);
});

it('is as ready after it slept as before', () => {
  const { services, store, clock, agent } = startServices();
  agent.become('online');
  const look = createSleepWatch({ store, clock, log: console, newId: (prefix) => prefix });
  clock.advance(60 * MINUTE_MS);
  look();
  clock.advance(10 * MINUTE_MS);
  const [readiness] = services.guardian.metrics({ lengthMs: 10 * MINUTE_MS }, ['device_readiness']).items;
  expect(readiness).toMatchObject({ value: 1, status: 'ok' });
});

it('stores at most once a minute that the daemon is up, and not in the journal', () => {
  const { store, clock } = startServices();
  const look = createSleepWatch({ store, clock, log: console, newId: (prefix) => prefix });
  const journaled = store.journal.head().seq;
  const knownTo: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    clock.advance(MINUTE_MS / 4);
    look();
    knownTo.push((clock.nowMs() - (store.recording.upNow()?.toMs ?? 0)) / 1_000);
  }
  // Seconds between now and the latest moment at which the daemon is known to have been up.
  expect(knownTo).toEqual([15, 30, 45, 0, 15, 30, 45, 0, 15, 30, 45, 0]);
  expect(store.journal.head().seq).toBe(journaled);
});

it.each([
  [3 * MINUTE_MS - 1, 0],
  [3 * MINUTE_MS, 1],
])('takes %i ms that nobody saw pass for %i gaps', (unseenMs, gaps) => {
  const { store, clock } = startServices();
  const look = createSleepWatch({ store, clock, log: console, newId: (prefix) => prefix });
  clock.advance(unseenMs);
  look();
  expect(store.journal.readAfter(0, 100).filter(({ kind }) => kind === 'daemon.slept')).toHaveLength(gaps);
});
