import { expect, test } from 'vitest';
import { logBeta, logGamma, regularizedBeta } from '../../../src/guardian/statistics/distributions.ts';

test('log-gamma of a whole number is the logarithm of the factorial before it', () => {
  let logFactorial = 0;
  for (let n = 1; n <= 60; n += 1) {
    expect(logGamma(n)).toBeCloseTo(logFactorial, 11);
    logFactorial += Math.log(n);
  }
});

test('log-gamma of one half is half the logarithm of pi', () => {
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
});

test('log-gamma obeys its recurrence between whole numbers and far out', () => {
  for (const x of [0.01, 0.3, 2.7, 9.99, 123.4, 1e6 + 0.5])
    expect(logGamma(x + 1) - logGamma(x) - Math.log(x)).toBeCloseTo(0, 8);
});

test('the beta function of 2 and 3 is one twelfth', () => {
  expect(Math.exp(logBeta(2, 3))).toBeCloseTo(1 / 12, 14);
});

test('the incomplete beta function of whole numbers is a binomial tail', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  for (const x of [0.05, 0.4, 0.8]) {
    let tail = 0;
    for (let k = 4; k <= 10; k += 1) tail += choose(10, k) * x ** k * (1 - x) ** (10 - k);
    expect(regularizedBeta(x, { a: 4, b: 7 })).toBeCloseTo(tail, 13);
  }
});

test('the incomplete beta function of two halves is an arcsine', () => {
  expect(regularizedBeta(0.3, { a: 0.5, b: 0.5 })).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.3)), 12);
});

test('the incomplete beta function is symmetric, also for millions', () => {
  const below = regularizedBeta(0.5001, { a: 3e6, b: 3e6 });
  expect(below + regularizedBeta(0.4999, { a: 3e6, b: 3e6 })).toBeCloseTo(1, 12);
  expect(below).toBeCloseTo(0.6879, 3);
});

test('the incomplete beta function starts at 0 and ends at 1', () => {
  expect([regularizedBeta(0, { a: 2, b: 3 }), regularizedBeta(1, { a: 2, b: 3 })]).toEqual([0, 1]);
});
