import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '../../src/store/store.ts';
import { createFakeClock } from '../services/fake-clock.ts';
import { type Rig, startServices } from '../services/rig.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { type DayEvent, dayEvents } from './day-journal.ts';
import { type Before, type ExpectedDay, ordinaryDay } from './twenty-days.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
const TODAY_MS = Date.parse('2026-03-02T00:00:00Z');
const WEEKS_BEFORE = 5;

const histories = new Map<Before, string>();

/** The data of the time before, made once. Files that share a worker share it, so it goes when the worker ends. */
function historyOf(before: Before): string {
  const known = histories.get(before);
  if (known !== undefined) return known;
  const path = mkdtempSync(join(tmpdir(), 'handrail-days-'));
  record(path, before === 'weeks' ? ordinaryWeeks() : []);
  histories.set(before, path);
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A daemon on the data of the day, an hour after its end, that has looked at what happened. */
export function eveningOf({ before, day, known = [] }: Pick<ExpectedDay, 'before' | 'day' | 'known'>): Rig {
  const path = mkdtempSync(join(tmpdir(), 'handrail-days-'));
  cpSync(historyOf(before), path, { recursive: true });
  record(path, dayEvents(day, { startMs: TODAY_MS, name: 'today' }));
  const rig = startServices({ path, clock: createFakeClock(TODAY_MS + (day.upToHour + 1) * HOUR_MS) });
  const untilMs = rig.clock.nowMs() + DAY_MS;
  for (const cause of known) rig.services.guardian.markKnown(cause, { untilMs });
  rig.services.watch();
  rig.agent.become('online');
  rig.clock.advance(2 * 60_000);
  return rig;
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
