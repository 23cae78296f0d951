import { expect, it } from 'vitest';
import { type Rig, startServices } from './rig.ts';

const NOBODY = { kind: 'nobody' } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

it('is critical at once, and holds its level for ten minutes after the score has fallen', () => {
  const rig = watching();
  breakJournal(rig);
  rig.clock.advance(MINUTE_MS);
  expect(risk(rig)).toMatchObject({ score: 90, level: 'critical' });
  sleep(rig, DAY_MS);
  expect(risk(rig)).toMatchObject({ score: 0, level: 'critical' });
  rig.clock.advance(9 * MINUTE_MS);
  expect(risk(rig).level).toBe('critical');
  rig.clock.advance(MINUTE_MS);
  expect(risk(rig)).toMatchObject({ score: 0, level: 'low' });
});

it('holds its level over a restart, and the time in which the daemon was down is no calm', () => {
  const rig = watching();
  breakJournal(rig);
  rig.clock.advance(MINUTE_MS);
  sleep(rig, DAY_MS);
  rig.clock.advance(5 * MINUTE_MS);
  rig.clock.setWallClock(rig.clock.nowMs() + HOUR_MS);
  const next = watching(rig.crashAndRestart());
  next.clock.advance(4 * MINUTE_MS);
  expect(risk(next)).toMatchObject({ score: 0, level: 'critical' });
  next.clock.advance(2 * MINUTE_MS);
  expect(risk(next)).toMatchObject({ score: 0, level: 'low' });
});

it('of a day that is over says nothing about the level of now', () => {
  const rig = watching();
  breakJournal(rig);
  rig.clock.advance(MINUTE_MS);
  const toMs = rig.clock.nowMs() + MINUTE_MS;
  sleep(rig, 3 * DAY_MS);
  rig.clock.advance(10 * MINUTE_MS);
  const past = { fromMs: toMs - DAY_MS, toMs };
  expect(rig.services.guardian.dashboard(NOBODY, past).risk).toMatchObject({ score: 90, level: 'critical' });
  expect(risk(rig)).toMatchObject({ score: 0, level: 'low' });
});

it('names what it comes from, how sure it is, and what it was before', () => {
  const rig = watching();
  rig.clock.advance(4 * HOUR_MS);
  breakJournal(rig);
  rig.clock.advance(MINUTE_MS);
  const { contributors, confidence, history } = risk(rig);
  expect(contributors).toEqual([{ metricType: 'control_violations', points: 90 }]);
  expect(confidence).toBeGreaterThan(0);
  expect(confidence).toBeLessThan(1);
  expect(history.map(({ score }) => score)).toEqual([...Array.from({ length: 9 }, () => null), 0, 0, 90]);
  expect(history.map(({ at }) => at).toSorted()).toEqual(history.map(({ at }) => at));
});

function watching(rig: Rig = startServices()): Rig {
  rig.services.watch();
  rig.agent.become('online');
  return rig;
}

function risk(rig: Rig) {
  return rig.services.guardian.dashboard(NOBODY, { lengthMs: DAY_MS }).risk;
}

/** The wall clock goes on without the daemon, as in a suspended computer; then it looks again. */
function sleep({ clock }: Rig, lengthMs: number): void {
  clock.setWallClock(clock.nowMs() + lengthMs);
  clock.advance(MINUTE_MS);
}

function breakJournal({ store, clock }: Rig): void {
  store.write('durable', () => store.journal.append(clock.nowMs(), { kind: 'journal.broken' }));
}
