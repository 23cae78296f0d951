import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStore } from '../../src/store/store.ts';
import { createFakeClock } from '../services/fake-clock.ts';
import { type Rig, startServices } from '../services/rig.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { type DayEvent, dayEvents } from './day-journal.ts';
import { type Before, type ExpectedDay, ordinaryDay, TWENTY_DAYS } from './twenty-days.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
const TODAY_MS = Date.parse('2026-03-02T00:00:00Z');
const WEEKS_BEFORE = 5;

const histories = new Map<Before, string>();

beforeAll(() => {
  for (const before of ['weeks', 'none'] as const) {
    const path = mkdtempSync(join(tmpdir(), 'handrail-days-'));
    record(path, before === 'weeks' ? ordinaryWeeks() : []);
    histories.set(before, path);
  }
});

afterAll(() => {
  for (const path of histories.values()) rmSync(path, { recursive: true, force: true });
});

test.each(TWENTY_DAYS)('Guardian says of $name what a sensible person expects', (expected) => {
  const rig = eveningOf(expected);
  const { risk, warnings } = rig.services.guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS });
  const { levels, score = {}, isWarned, isNotified } = expected;
  expect(levels, `score ${risk.score}`).toContain(risk.level);
  expect(risk.score).toBeGreaterThanOrEqual(score.from ?? 0);
  expect(risk.score).toBeLessThanOrEqual(score.to ?? 100);
  if (isWarned !== undefined)
    expectAny(
      isWarned,
      warnings.map(({ message }) => message),
    );
  if (isNotified !== undefined) expectAny(isNotified, notifications(rig));
});

test('the table has at least twenty days', () => {
  expect(new Set(TWENTY_DAYS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});

/** A daemon on the data of the day, an hour after its end, that has looked at what happened. */
function eveningOf({ before, day, known = [] }: ExpectedDay): Rig {
  const path = mkdtempSync(join(tmpdir(), 'handrail-days-'));
  cpSync(String(histories.get(before)), path, { recursive: true });
  record(path, dayEvents(day, { startMs: TODAY_MS, name: 'today' }));
  const rig = startServices({ path, clock: createFakeClock(TODAY_MS + (day.upToHour + 1) * HOUR_MS) });
  const untilMs = rig.clock.nowMs() + DAY_MS;
  for (const cause of known) rig.services.guardian.markKnown(cause, { untilMs });
  rig.services.watch();
  rig.agent.become('online');
  rig.clock.advance(2 * 60_000);
  return rig;
}

function expectAny(isExpected: boolean, texts: readonly unknown[]): void {
  if (isExpected) expect(texts).not.toEqual([]);
  else expect(texts).toEqual([]);
}

function ordinaryWeeks(): DayEvent[] {
  return Array.from({ length: WEEKS_BEFORE * 7 }, (_, index) => index)
    .filter((index) => index % 7 < 5)
    .flatMap((index) => {
      const startMs = TODAY_MS - (WEEKS_BEFORE * 7 - index) * DAY_MS;
      return dayEvents(ordinaryDay(index), { startMs, name: `day${index}` });
    });
}

/** Appends events to the journal of a data directory through the store, which counts them. */
function record(path: string, events: readonly DayEvent[]): void {
  const store = createStore({ path, now: () => TODAY_MS });
  store.write('relaxed', () => {
    for (const { atMs, ...event } of events) store.journal.append(atMs, fromOtherBuild(event));
  });
  store.close();
}

/** The titles of notifications about controls. */
function notifications({ store }: Rig): unknown[] {
  return store.journal
    .readAfter(0, 100_000)
    .filter(({ kind, metadata }) => kind === 'insight.told' && /^(safety|integrity)$/.test(String(metadata?.category)))
    .map(({ metadata }) => metadata?.title);
}
