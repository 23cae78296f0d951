import { describe, expect, test } from 'vitest';
import type { GuardianDashboard } from '../../src/contract/risk.ts';
import { episodesOf, firstTold, isTrue } from '../bench/simulation/judge.ts';
import { falseAMonth, isGood } from '../bench/simulation/report.ts';
import { createSeen, type Sighting, shownBy } from '../bench/simulation/seen.ts';
import { simulate, type Told } from '../bench/simulation/simulate.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('What counts as shown', () => {
  test('is a dashboard warning, an open insight above info, and a risk of at least moderate', () => {
    const shown = shownBy(dashboard());
    expect(shown.map(({ subject, name }) => [subject, name])).toEqual([
      ['task_success_rate', 'watch "Tasks that succeeded: 90 %."'],
      [
        'to do: The permission for screen recording is missing.',
        'to do "The permission for screen recording is missing."',
      ],
      ['action_burst_peak', 'insight "90 actions requested in one minute" (warning)'],
      ['risk', 'risk moderate (31: task_success_rate)'],
    ]);
  });

  test('is nothing where the dashboard is calm', () => {
    const calm = dashboard();
    expect(shownBy({ ...calm, warnings: [], insights: [], risk: { ...calm.risk, level: 'low' } })).toEqual([]);
  });

  test('is the same sighting until it was away for a day', () => {
    const seen = createSeen();
    for (const atMs of [0, HOUR_MS, HOUR_MS + DAY_MS - 1, HOUR_MS + 2 * DAY_MS]) {
      seen.told({ title: 'a', metricTypes: ['action_rate'], atMs });
    }
    expect([...seen.sightings().values()].map(({ atMs, untilMs }) => [atMs, untilMs])).toEqual([
      [0, HOUR_MS + DAY_MS - 1],
      [HOUR_MS + 2 * DAY_MS, HOUR_MS + 2 * DAY_MS],
    ]);
  });

  test('is the same sighting where every look showed it, however long the machine was off between two looks', () => {
    const seen = createSeen();
    const calm = { ...dashboard(), insights: [], risk: { ...dashboard().risk, level: 'low' as const } };
    const warned = { ...calm, warnings: dashboard().warnings.slice(0, 1) };
    for (const atMs of [0, HOUR_MS, 4 * DAY_MS]) seen.look(warned, atMs);
    seen.look({ ...calm, warnings: [] }, 5 * DAY_MS);
    seen.look(warned, 6 * DAY_MS);
    expect([...seen.sightings().values()].map(({ atMs, untilMs }) => [atMs, untilMs])).toEqual([
      [0, 4 * DAY_MS],
      [6 * DAY_MS, 6 * DAY_MS],
    ]);
  });

  test('goes on in a copy of a life, which leaves the original as it is', () => {
    const original = createSeen();
    original.told({ title: 'a', metricTypes: ['action_rate'], atMs: 0 });
    const copy = createSeen(original.sightings());
    copy.told({ title: 'a', metricTypes: ['action_rate'], atMs: HOUR_MS });
    expect([...original.sightings().values()].map(({ untilMs }) => untilMs)).toEqual([0]);
    expect([...copy.sightings().values()].map(({ untilMs }) => untilMs)).toEqual([HOUR_MS]);
  });
});

describe('False alarms', () => {
  test('with one cause are one episode while less than a day lies between them', () => {
    const sightings = [
      sighting({ subject: 'risk', atMs: 0, untilMs: HOUR_MS }),
      sighting({ subject: 'risk', atMs: HOUR_MS + DAY_MS - 1, untilMs: 2 * DAY_MS }),
      sighting({ subject: 'risk', atMs: 3 * DAY_MS, untilMs: 3 * DAY_MS }),
      sighting({ subject: 'action_rate', atMs: HOUR_MS, untilMs: HOUR_MS }),
      sighting({ subject: 'task_success_rate', cause: 'failures', atMs: HOUR_MS, untilMs: HOUR_MS }),
    ];
    const found = (by: 'cause' | 'subject') =>
      episodesOf(sightings, by).map(({ cause, fromMs, untilMs }) => [cause, fromMs, untilMs]);
    expect(found('cause')).toEqual([
      ['much at once', 0, 2 * DAY_MS],
      ['failures', HOUR_MS, HOUR_MS],
      ['much at once', 3 * DAY_MS, 3 * DAY_MS],
    ]);
    expect(found('subject')).toEqual([
      ['risk', 0, 2 * DAY_MS],
      ['action_rate', HOUR_MS, HOUR_MS],
      ['task_success_rate', HOUR_MS, HOUR_MS],
      ['risk', 3 * DAY_MS, 3 * DAY_MS],
    ]);
  });

  test('are not those of a key that was refused within the day before, or of a requester that is paused', () => {
    const controls = sighting({ metricTypes: ['control_violations'], atMs: DAY_MS });
    expect(isTrue(controls, { keyRefusedAtMs: [1] })).toBe(true);
    expect(isTrue(controls, { keyRefusedAtMs: [0] })).toBe(false);
    expect(isTrue({ ...controls, subject: 'risk' }, { keyRefusedAtMs: [1] })).toBe(false);
    const paused = sighting({ subject: 'to do: Requests of assistant are paused: look at its requests.' });
    expect(isTrue(paused, { keyRefusedAtMs: [] })).toBe(true);
  });

  test('may come once a month, and not more often', () => {
    const life = { seed: 1, life: '', months: 2, bySubject: 0, trueSightings: 0, dayOfUseMs: 0, incidents: [told({})] };
    const episode = { cause: 'failures', fromMs: 0, untilMs: 0, names: [] };
    expect(falseAMonth({ episodes: [episode, episode], months: 2 })).toBe(1);
    expect(isGood({ ...life, episodes: [episode, episode] })).toBe(true);
    expect(isGood({ ...life, episodes: [episode, episode, episode] })).toBe(false);
    expect(isGood({ ...life, episodes: [], incidents: [told({}), told({ isInTime: false })] })).toBe(false);
  });
});

describe('An incident', () => {
  test('is told by the first sighting that begins after it and is about a metric in which it shows', () => {
    const sightings = [
      sighting({ name: 'before', atMs: 5, metricTypes: ['action_rate'] }),
      sighting({ name: 'late', atMs: 9, metricTypes: ['action_rate'] }),
      sighting({ name: 'other', atMs: 6, metricTypes: ['task_success_rate'] }),
      sighting({ name: 'first', atMs: 7, metricTypes: ['action_diversity', 'action_rate'] }),
    ];
    expect(firstTold(sightings, { shows: ['action_rate'], onsetMs: 5 })?.name).toBe('first');
    expect(firstTold(sightings, { shows: ['device_readiness'], onsetMs: 5 })).toBeUndefined();
  });

  test('in a copy of a short life is told, and does not show in the quiet days', async () => {
    const { months, incidents, episodes } = await simulate({
      seed: 1,
      weeks: 1,
      everyMinutes: 15,
      only: ['permission loss'],
    });
    expect(months).toBeCloseTo(7 / 30.4375, 6);
    expect(incidents.map(({ name, by, isInTime }) => ({ name, by, isInTime }))).toEqual([
      {
        name: 'permission loss',
        by: 'to do "The permission for screen recording is missing: grant it in the system settings."',
        isInTime: true,
      },
    ]);
    expect(episodes.filter(({ cause }) => cause.includes('permission') || cause === 'device')).toEqual([]);
  }, 60_000);
});

function sighting(of: Partial<Sighting>): Sighting {
  return { subject: 'action_rate', cause: 'much at once', name: '', metricTypes: [], atMs: 0, untilMs: 0, ...of };
}

function told(of: Partial<Told>): Told {
  return { name: '', details: '', useMs: 0, limitMs: 0, by: '', isInTime: true, ...of };
}

function dashboard(): GuardianDashboard {
  const at = '2026-01-05T10:00:00.000Z';
  const insight = {
    id: 'ins_1',
    category: 'safety',
    severity: 'warning',
    title: '90 actions requested in one minute',
    detail: '',
    metricTypes: ['action_burst_peak', 'action_rate'],
    evidence: [],
    actionable: false,
    firstSeen: at,
    lastSeen: at,
    count: 1,
    status: 'open',
  } satisfies GuardianDashboard['insights'][number];
  return {
    generatedAt: at,
    window: { from: at, to: at, length: 0 },
    risk: {
      score: 31,
      level: 'moderate',
      confidence: 1,
      contributors: [
        {
          metricType: 'task_success_rate',
          points: 31,
          cause: 'task_success_rate',
          message: 'Tasks that succeeded: 60 %.',
          source: null,
          since: at,
          last: at,
        },
      ],
      known: [],
      history: [],
    },
    warnings: [
      { metricType: 'task_success_rate', status: 'watch', message: 'Tasks that succeeded: 90 %.', since: at },
      { metricType: null, status: 'bad', message: 'The permission for screen recording is missing.', since: at },
    ],
    insights: [insight, { ...insight, id: 'ins_2', severity: 'info' }, { ...insight, id: 'ins_3', status: 'resolved' }],
    trends: [],
    metrics: [],
  };
}
