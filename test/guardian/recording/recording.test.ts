import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTERS } from '../../../src/contract/counters.ts';
import { METRIC_TYPES, METRICS } from '../../../src/contract/metrics.ts';
import { measureAll } from '../../../src/guardian/recording/metrics.ts';
import { advanceUpTime } from '../../../src/guardian/recording/uptime.ts';
import { randomHappenings } from './random-journal.ts';
import { journal, recordAll, recordedIn } from './recording.ts';
import { recount, recountCounters } from './recount.ts';

const MINUTE_MS = 60_000;

describe('the rollups of random journals', () => {
  it('answer for any window as a recount of the raw events does, percentiles within 2 %', () => {
    fc.assert(
      fc.property(randomHappenings, fc.nat(120), fc.integer({ min: 1, max: 300 }), (happenings, from, length) => {
        const events = journal([[0, 'daemon.started'], ...happenings, [40_000_000, 'daemon.stopped']]);
        const span = { fromMs: from * MINUTE_MS, toMs: (from + length) * MINUTE_MS };
        const counted = recount(events, span);
        for (const { type, value } of measureAll(recordedIn(recordAll(events), span))) {
          const expected = counted[type];
          if (value === null) continue;
          const tolerance = METRICS[type].kind === 'duration' ? 0.02 * expected : 1e-9;
          expect(Math.abs(value - expected), `${type}: ${value} for ${expected}`).toBeLessThanOrEqual(tolerance + 1e-9);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('count refusals by kind, denied plans, attempts without effect and cancels of the person as a recount does', () => {
    fc.assert(
      fc.property(randomHappenings, fc.nat(120), fc.integer({ min: 1, max: 300 }), (happenings, from, length) => {
        const events = journal([[0, 'daemon.started'], ...happenings, [40_000_000, 'daemon.stopped']]);
        const span = { fromMs: from * MINUTE_MS, toMs: (from + length) * MINUTE_MS };
        const { counters } = recordedIn(recordAll(events), span).rollup;
        expect(counters).toMatchObject(recountCounters(events, span));
      }),
      { numRuns: 60 },
    );
  });

  it('have some of each of these counts in one of forty journals, so that none is left out of the comparison', () => {
    const compared = Object.keys(recountCounters([], { fromMs: 0, toMs: 1 }));
    const never = new Set<string>([...compared, 'approvedUnasked', 'outcomeUnexpected']);
    for (const happenings of fc.sample(randomHappenings, { numRuns: 40, seed: 1 })) {
      const events = journal(happenings);
      const { counters } = recordedIn(recordAll(events), { fromMs: 0, toMs: 300 * MINUTE_MS }).rollup;
      for (const counter of COUNTERS) if (counters[counter] > 0) never.delete(counter);
    }
    expect([...never]).toEqual([]);
  });

  it('have a value for every metric in some of these journals, so that none is left out of the comparison', () => {
    const measured = new Set<string>();
    for (const happenings of fc.sample(randomHappenings, { numRuns: 30, seed: 1 })) {
      const events = journal([[0, 'daemon.started'], ...happenings, [40_000_000, 'daemon.stopped']]);
      const metrics = measureAll(recordedIn(recordAll(events), { fromMs: 0, toMs: 300 * MINUTE_MS }));
      for (const { type, value } of metrics) if (value !== null) measured.add(type);
    }
    // It has a value from 20 tasks on, and a test of its own.
    measured.add('task_duration_p95');
    expect([...measured].toSorted()).toEqual([...METRIC_TYPES].toSorted());
  });

  it('say null exactly where a recount finds fewer samples than the metric needs', () => {
    fc.assert(
      fc.property(randomHappenings, (happenings) => {
        const events = journal([[0, 'daemon.started'], ...happenings, [40_000_000, 'daemon.stopped']]);
        const requests = events.filter(({ kind }) => kind === 'action.requested').length;
        const refused = recountCounters(events, { fromMs: 0, toMs: 40_020_000 }).requestRefused ?? 0;
        const values = measureAll(recordedIn(recordAll(events), { fromMs: 0, toMs: 40_020_000 }));
        const isNull = Object.fromEntries(values.map(({ type, value }) => [type, value === null]));
        expect(isNull).toMatchObject({
          action_rate: false,
          action_burst_peak: false,
          action_diversity: requests < 10,
          action_retry_rate: requests < 10,
          denied_action_share: requests + refused < 10,
          elevated_action_share: requests < 20,
          novel_action_share: requests < 20,
        });
      }),
      { numRuns: 40 },
    );
  });
});

describe('the time the daemon was up', () => {
  it('ends with the last event of a run that ended without a word', () => {
    const { intervals } = recordAll(
      journal([
        [0, 'daemon.started'],
        [5_000, 'session.opened'],
        [60_000, 'daemon.started'],
        [70_000, 'daemon.stopped'],
      ]),
    );
    expect([...intervals.values()]).toEqual([
      { seq: 1, fromMs: 0, toMs: 5_000, isReady: false, isLocked: false },
      { seq: 3, fromMs: 60_000, toMs: 70_000, isReady: false, isLocked: false },
    ]);
  });

  it('is known to the second while it goes on, and exactly where it ends', () => {
    const current = { seq: 1, fromMs: 0, toMs: 5_000, isReady: true, isLocked: false };
    const at = (atMs: number, kind: 'action.requested' | 'daemon.stopped') =>
      advanceUpTime(current, { seq: 9, atMs, kind });
    expect([at(5_999, 'action.requested'), at(6_000, 'action.requested'), at(5_001, 'daemon.stopped')]).toEqual([
      { changed: [], current },
      { changed: [{ ...current, toMs: 6_000 }], current: { ...current, toMs: 6_000 } },
      { changed: [{ ...current, toMs: 5_001 }], current: undefined },
    ]);
  });

  it('does not begin before the daemon says so', () => {
    expect(advanceUpTime(undefined, { seq: 1, atMs: 1, kind: 'agent.readiness', metadata: { ready: true } })).toEqual({
      changed: [],
      current: undefined,
    });
  });
});
