import { expect, test } from 'vitest';
import { changeWords, limitWords, valueWords } from '../../renderer/src/guardian/metric-words.ts';
import { oversightWords } from '../../renderer/src/guardian/oversight-words.ts';
import { windowNamed } from '../../renderer/src/guardian/time-spans.ts';
import type { MetricSnapshot, MetricType, Trend } from '../../src/contract/guardian.ts';
import { METRICS } from '../../src/contract/metrics.ts';

const AT = '2026-03-01T00:00:00.000Z';

function snapshot(type: MetricType, overrides: Partial<MetricSnapshot>): MetricSnapshot {
  return {
    type,
    category: 'oversight',
    value: null,
    unit: 'ratio',
    status: 'ok',
    direction: 'low',
    target: { green: null, red: null },
    sampleSize: 0,
    coverage: 1,
    window: { from: AT, to: AT, length: 1 },
    ...overrides,
  };
}

function trend(changePercent: number | null, median: number | null): Trend {
  return {
    metricType: 'action_rate',
    window: '24h',
    classification: 'stable',
    zScore: null,
    changePercent,
    effect: 'neutral',
    baseline: { windows: 8, median },
    current: null,
  };
}

test.each([
  [null, 'ratio', '–'],
  [0.123, 'ratio', '12.3 %'],
  [12, '/h', '12 per hour'],
  [1, 'bits', '1 bit'],
  [1.04, 'bits', '1 bit'],
  [1.5, 'bits', '1.5 bits'],
  [999, 'ms', '999 ms'],
  [1_000, 'ms', '1 s'],
  [90_000, 'ms', '1.5 min'],
] as const)('%s in %s is %s', (value, unit, words) => {
  expect(valueWords(value, unit)).toBe(words);
});

test.each([
  [16.08, 12, '34 % above usual (12 per hour)'],
  [11.4, 12, '5 % below usual (12 per hour)'],
  [12.02, 12, 'As usual (12 per hour)'],
  [114, 1, '11300 % above usual (1 per hour)'],
  [3, 0, 'Usually 0 per hour'],
  [0, 0, 'As usual (0 per hour)'],
  [null, 12, 'Usually 12 per hour'],
  [3, null, undefined],
])('the value %s, whose usual value is %s: %s', (value, median, words) => {
  expect(changeWords(trend(34, median), { value, unit: '/h' })).toBe(words);
});

test('a change is that of the value on the page, not of the last assessment of its trend', () => {
  expect(changeWords(trend(0, 1), { value: 114, unit: 'count' })).not.toContain('As usual');
});

test('without a trend nothing is said of a change', () => {
  expect(changeWords(undefined, { value: 3, unit: '/h' })).toBeUndefined();
});

test('a limit is told where there is one', () => {
  const type = 'action_burst_peak';
  expect(limitWords({ type, target: { green: 30, red: 120 }, unit: 'count' })).toBe('Limit: 30');
  expect(limitWords({ type, target: { green: null, red: null }, unit: 'count' })).toBeUndefined();
  const share = { target: { green: 0.1, red: 0.6 }, unit: 'ratio' } as const;
  expect(limitWords({ type: 'elevated_action_share', ...share })).toBe('Limit: 10 % without asking you');
});

test('every metric has a definition and says which values are good', () => {
  for (const { definition, goodWords } of Object.values(METRICS)) {
    expect(definition).toMatch(/^(The|How) .+\.$/);
    expect(goodWords).toMatch(/\.$/);
  }
});

test('oversight is told in one sentence, with as much as is known', () => {
  const median = snapshot('confirmation_response_p50', { value: 6_000, unit: 'ms', sampleSize: 14 });
  const sentence = (allowed: number, denied: number, metrics: MetricSnapshot[] = []) =>
    oversightWords(metrics, { allowed, denied }).sentence;
  expect(sentence(12, 2, [median])).toBe('You approved 12 of 14 requests; median 6 s.');
  expect(sentence(12, 2, [{ ...median, value: 0 }])).toBe('You approved 12 of 14 requests; median below 1 s.');
  expect(sentence(2, 1, [{ ...median, value: null }])).toBe('You approved 2 of 3 requests.');
  expect(sentence(0, 1)).toBe('You approved 0 of 1 request.');
  expect(sentence(0, 0)).toBe('You answered no requests.');
});

test('the metrics that judge oversight are linked where they have a value', () => {
  const metrics = [
    snapshot('hasty_approval_share', { value: 0.5, status: 'bad' }),
    snapshot('confirmation_expiry_rate', { value: null }),
  ];
  const { links } = oversightWords(metrics, { allowed: 2, denied: 2 });
  expect(links).toEqual([{ type: 'hasty_approval_share', words: 'Approved in less than 2 s: 50 %', status: 'bad' }]);
});

test('an address with an unknown window means a day', () => {
  expect([windowNamed('7d'), windowNamed('8d'), windowNamed('constructor'), windowNamed(null)]).toEqual([
    '7d',
    '24h',
    '24h',
    '24h',
  ]);
});
