import { expect, test } from 'vitest';
import { ACTION_TYPES, METRIC_TYPES, METRICS } from '../../src/contract/metrics.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';

test('there are 23 metric types, in five categories one after the other', () => {
  const categories = METRIC_TYPES.map((type) => METRICS[type].category);
  expect(METRIC_TYPES.length).toBe(23);
  expect(Map.groupBy(categories, (category) => category)).toEqual(
    new Map(
      Object.entries({ activity: 3, reliability: 5, exposure: 5, oversight: 7, control: 3 }).map(([category, size]) => [
        category,
        new Array(size).fill(category),
      ]),
    ),
  );
  expect(categories.filter((category, index) => category !== categories[index - 1])).toHaveLength(5);
});

test('no limit is on the good side of its metric', () => {
  for (const type of METRIC_TYPES) {
    const { good, limits } = METRICS[type];
    for (const { green, red } of limits) {
      if (good === 'low') expect(red, type).toBeGreaterThan(green);
      if (good === 'high') expect(red, type).toBeLessThan(green);
    }
  }
});

test('no single metric can make the score certain', () => {
  for (const type of METRIC_TYPES) expect(METRICS[type].weight).toBeLessThan(1);
});

test('the diversity of actions is measured against as many types as there are', () => {
  expect(ACTION_TYPES).toBe(CATALOGUE.size);
});
