import { expect, test } from 'vitest';
import { normalCdf } from '../../../src/guardian/statistics/normal.ts';
import { zOfStudent } from '../../../src/guardian/statistics/student.ts';

test.each([-20, -3, -0.5, 0, 0.5, 3, 20])(
  'with one degree of freedom t = %d is as improbable as in Cauchy’s distribution',
  (t) => {
    expect(normalCdf(zOfStudent(t, 1))).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 9);
  },
);

test('published quantiles keep their probability', () => {
  expect([zOfStudent(2.306, 8), zOfStudent(3.674, 28)].map((z) => normalCdf(z).toFixed(4))).toEqual([
    '0.9750',
    '0.9995',
  ]);
});

test('with very many degrees of freedom it is the normal distribution, in ±8', () => {
  expect(zOfStudent(3.5, 1e7)).toBeCloseTo(3.5, 5);
  expect([zOfStudent(1e9, 5e3), zOfStudent(-1e9, 5e3)]).toEqual([8, -8]);
});
