import { expect } from 'vitest';
import { createInsightBook } from '../../src/services/guardian/insights.ts';
import { watchJournal } from '../../src/services/records/verification.ts';
import { finding } from '../guardian/insights/episodes.ts';
import { createFakeClock } from './fake-clock.ts';
import { startServices, test } from './rig.ts';
import { settle } from './tasks-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

test('the journal is verified a minute after the start, and then a day after each time', async ({ rig }) => {
  const clock = createFakeClock();
  let audits = 0;
  const audit = async () => {
    audits += 1;
    return { valid: true, rows: 1 };
  };
  watchJournal({ ...rig.context, clock, store: { ...rig.store, audit } });
  for (const [beforeMs, expected] of [
    [MINUTE_MS, 1],
    [DAY_MS, 2],
    [DAY_MS, 3],
  ] as const) {
    clock.advance(beforeMs - 1);
    expect(audits).toBe(expected - 1);
    clock.advance(1);
    expect(audits).toBe(expected);
    await settle();
  }
});

test('an insight is kept for a week after it was last seen, and no longer', ({ rig }) => {
  const book = createInsightBook(rig.context);
  const seenAtMs = rig.clock.nowMs();
  book.note([finding('warning')]);
  rig.clock.setWallClock(seenAtMs + 7 * DAY_MS);
  book.note([]);
  expect(book.list()).toHaveLength(1);
  rig.clock.setWallClock(seenAtMs + 7 * DAY_MS + 1);
  book.note([]);
  expect(book.list()).toEqual([]);
});

test.each([
  [500, 500],
  [501, 500],
])('of %i insights %i are kept', (found, kept) => {
  const book = createInsightBook(startServices().context);
  book.note(Array.from({ length: found }, (_, n) => finding('info', `subject ${n}`)));
  expect(book.list()).toHaveLength(kept);
});

test('of more insights the dashboard tells the first fifty', ({ rig }) => {
  createInsightBook(rig.context).note(Array.from({ length: 51 }, (_, n) => finding('info', `subject ${n}`)));
  const { guardian } = rig.crashAndRestart().services;
  expect(guardian.insights({ kind: 'person' }, { limit: 100 })).toHaveLength(51);
  expect(guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS }).insights).toHaveLength(50);
});

test('the sources of refused requests are kept for 35 days', ({ rig: { store } }) => {
  const atMs = Date.parse('2026-01-01T00:00:00.000Z');
  const metadata = { code: 'origin_not_allowed', count: 1, from: 'evil.example' } as const;
  store.write('relaxed', () => store.journal.append(atMs, { kind: 'request.refused', metadata }));
  const sources = () =>
    store.recording.refusedSources({ fromMs: atMs, toMs: atMs + HOUR_MS }, ['origin_not_allowed']).length;
  store.write('relaxed', () => store.recording.prune(atMs + 35 * DAY_MS));
  expect(sources()).toBe(1);
  store.write('relaxed', () => store.recording.prune(atMs + 35 * DAY_MS + 1));
  expect(sources()).toBe(0);
});
