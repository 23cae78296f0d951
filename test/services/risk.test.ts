import { expect, it } from 'vitest';
import { NOTHING_USUAL } from '../../src/guardian/metrics/usual.ts';
import { createKnownCauses } from '../../src/services/guardian/known-causes.ts';
import { createRisk } from '../../src/services/guardian/risk.ts';
import { createWindows } from '../../src/services/guardian/time-windows.ts';
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
  expect(contributors).toMatchObject([{ cause: 'control_violations', metricType: 'control_violations', points: 90 }]);
  expect(confidence).toBeGreaterThan(0);
  expect(confidence).toBeLessThan(1);
  expect(history.map(({ score }) => score)).toEqual([...Array.from({ length: 9 }, () => null), 0, 0, 90]);
  expect(history.map(({ at }) => at).toSorted()).toEqual(history.map(({ at }) => at));
});

it('knows what was before a window of which only hours are kept', () => {
  const rig = watching();
  rig.clock.advance(3 * HOUR_MS + 10 * MINUTE_MS);
  const brokenAtMs = rig.clock.nowMs();
  breakJournal(rig);
  rig.clock.advance(8 * HOUR_MS);
  rig.clock.setWallClock(brokenAtMs + 36 * DAY_MS);
  rig.clock.advance(MINUTE_MS);
  rig.store.write('relaxed', () => rig.store.recording.prune(rig.clock.nowMs()));
  const risk = riskWith(rig);
  const { history } = risk({ fromMs: brokenAtMs + 70 * MINUTE_MS, toMs: brokenAtMs + 100 * MINUTE_MS });
  const at = (hour: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + hour * HOUR_MS).toISOString();
  expect(history.slice(-5)).toEqual([
    { at: at(1), score: 0 },
    { at: at(2), score: 0 },
    { at: at(3), score: 0 },
    { at: at(4), score: 90 },
    { at: at(5), score: 0 },
  ]);
});

it('has no score of a window that is over and in which the daemon was never up', () => {
  const rig = watching();
  const fromMs = rig.clock.nowMs() - DAY_MS;
  const { score, confidence, history } = riskWith(rig)({ fromMs, toMs: fromMs + HOUR_MS });
  expect([score, confidence, history.at(-1)?.score]).toEqual([0, 0, null]);
});

it('of two windows that ended at the same time has a score for each', () => {
  const rig = watching();
  breakJournal(rig);
  rig.clock.advance(3 * HOUR_MS);
  const toMs = rig.clock.nowMs();
  rig.clock.advance(HOUR_MS);
  const lastScore = (lengthMs: number) =>
    rig.services.guardian.dashboard(NOBODY, { fromMs: toMs - lengthMs, toMs }).risk.history.at(-1)?.score;
  expect([lastScore(HOUR_MS), lastScore(DAY_MS), lastScore(HOUR_MS)]).toEqual([0, 90, 0]);
});

/** The summary of a window, on a desktop without a past. */
function riskWith({ context }: Rig) {
  const windows = createWindows(context);
  const risk = createRisk(context, {
    windows,
    usualIn: () => NOTHING_USUAL,
    knownCauses: createKnownCauses(context, () => 0),
    signsAt: () => [],
  });
  return (request: Parameters<typeof windows.spanOf>[0]) => {
    const span = windows.spanOf(request);
    const assessed = risk.assess(span, windows.recorded(span));
    return { ...risk.summary(assessed, { span, contributors: [] }), causes: assessed.contributors };
  };
}

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
  store.write('durable', () =>
    store.journal.append(clock.nowMs(), { kind: 'journal.broken', metadata: { reason: null } }),
  );
}
