import { expect, test } from 'vitest';
import { isSlowerThanItsKinds, type Ran } from '../../../src/guardian/statistics/kind-mix.ts';

/** So many actions of a type, around a median. */
function ran(actionType: string, count: number, medianMs: number): Ran[] {
  return Array.from({ length: count }, (_, index) => ({
    actionType,
    durationMs: medianMs * (0.8 + (0.4 * index) / Math.max(1, count - 1)),
  }));
}

const EARLIER = [...ran('Click', 300, 100), ...ran('RunScript', 20, 2_500)];

test('more actions of a slow kind are no slower actions', () => {
  expect(isSlowerThanItsKinds([...ran('Click', 50, 100), ...ran('RunScript', 50, 2_500)], EARLIER)).toBe(false);
});

test('the same kinds that take longer are slower, in the old mix and in another', () => {
  expect(isSlowerThanItsKinds([...ran('Click', 90, 200), ...ran('RunScript', 10, 5_000)], EARLIER)).toBe(true);
  expect(isSlowerThanItsKinds([...ran('Click', 50, 200), ...ran('RunScript', 50, 5_000)], EARLIER)).toBe(true);
});

test('one kind in which six actions of a hundred hang is slower, and one in which three do is not', () => {
  const withHanging = (count: number) => [...ran('Click', 100 - count, 100), ...ran('Click', count, 4_000)];
  const answers = [6, 3].map((count) => isSlowerThanItsKinds(withHanging(count), ran('Click', 300, 100)));
  expect(answers).toEqual([true, false]);
});

test('a quarter more is slower, a little less is not', () => {
  expect(isSlowerThanItsKinds(ran('Click', 100, 127), ran('Click', 300, 100))).toBe(true);
  expect(isSlowerThanItsKinds(ran('Click', 100, 120), ran('Click', 300, 100))).toBe(false);
});

test('kinds of which fewer than ten ran before say nothing: where most are such, the work is another', () => {
  const rare = [...ran('Click', 300, 100), ...ran('OpenApp', 9, 100)];
  expect(isSlowerThanItsKinds([...ran('Click', 40, 100), ...ran('OpenApp', 60, 9_000)], rare)).toBe(false);
  expect(isSlowerThanItsKinds([...ran('Click', 60, 200), ...ran('OpenApp', 40, 9_000)], rare)).toBe(true);
  expect(isSlowerThanItsKinds([...ran('Click', 60, 100), ...ran('OpenApp', 40, 9_000)], rare)).toBe(false);
});

test('where too few can be compared it cannot be ruled out', () => {
  expect(isSlowerThanItsKinds(ran('Click', 19, 100), EARLIER)).toBe(true);
  expect(isSlowerThanItsKinds(ran('Click', 20, 100), EARLIER)).toBe(false);
  expect(isSlowerThanItsKinds([], [])).toBe(true);
});
