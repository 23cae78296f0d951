import { expect, test } from 'vitest';
import {
  type Amounts,
  exceeded,
  isYoung,
  NO_PAST,
  type Past,
  pastAfter,
  type RequesterDay,
} from '../../../src/guardian/requesters/usual-days.ts';
import { dayOf } from './days.ts';

const NONE: Amounts = {
  newApps: 0,
  requested: 0,
  high: 0,
  novel: 0,
  captured: 0,
  inputs: 0,
  interrupted: 0,
  prompted: 0,
  promptedForScreen: 0,
};

/** A requester after days with these numbers of high-risk actions. */
function pastOf(high: readonly number[]): Past {
  return high.reduce((past, count) => pastAfter(past, highDay(count), true), NO_PAST);
}

function highDay(high: number): RequesterDay {
  return dayOf({ RunScript: { requested: high, high } });
}

const told = (high: number, past: Past) => exceeded({ ...NONE, high }, past).length > 0;

test('an amount is told from twice the most of the days before on, the two largest days left out', () => {
  const past = pastOf([...new Array<number>(12).fill(3), 40, 50, 4]);
  expect(exceeded({ ...NONE, high: 9 }, past)).toEqual([{ measure: 'high', amount: 9, limit: 8, most: 4 }]);
  expect(told(8, past)).toBe(false);
});

test('a few are never told, and on the first days more than on later ones is usual', () => {
  const seldom = pastOf(new Array<number>(14).fill(0));
  expect([told(7, seldom), told(8, seldom)]).toEqual([false, true]);
  const young = pastOf([2, 2, 2, 3]);
  expect([told(9, young), told(10, young)]).toEqual([false, true]);
});

test('a requester that was seen on three of four days has a limit by them', () => {
  const past = [40, 20, 30].reduce<Past>(
    (before, requested) => pastAfter(before, dayOf({ ReadFile: { requested } }), false),
    NO_PAST,
  );
  const found = (requested: number) => exceeded({ ...NONE, requested }, past);
  expect([found(90), found(91)]).toEqual([[], [{ measure: 'requested', amount: 91, limit: 90, most: 40 }]]);
});

test('without a history a limit is fixed, and says so', () => {
  expect(exceeded({ ...NONE, high: 16, captured: 201, requested: 9_999 }, NO_PAST)).toEqual([
    { measure: 'high', amount: 16, limit: 15, most: null },
    { measure: 'captured', amount: 201, limit: 200, most: null },
  ]);
});

test('new targets are told by how much a requester does: a busy one begins new work in larger heaps', () => {
  const busy = Array.from({ length: 14 }).reduce<Past>(
    (past) => pastAfter(past, dayOf({ ReadFile: { requested: 400, novel: 2 } }), true),
    NO_PAST,
  );
  expect(exceeded({ ...NONE, novel: 41 }, busy)).toMatchObject([{ measure: 'novel', limit: 40 }]);
  expect(exceeded({ ...NONE, novel: 40 }, busy)).toEqual([]);
});

test('on a day with more requests more of everything is usual, up to the day that is told for its requests', () => {
  const known = Array.from({ length: 14 }).reduce<Past>(
    (past) => pastAfter(past, dayOf({ RunScript: { requested: 100, high: 10 } }), true),
    NO_PAST,
  );
  const limit = (requested: number) => exceeded({ ...NONE, requested, high: 99 }, known)[0]?.limit;
  expect([limit(50), limit(150), limit(250)]).toEqual([20, 30, 50]);
  expect(exceeded({ ...NONE, requested: 251, high: 50 }, known)).toMatchObject([{ measure: 'requested', limit: 250 }]);
});

test('an attack that goes on does not become usual, until the person expects it', () => {
  const calm = pastOf(new Array<number>(20).fill(2));
  const after = (days: number, isExpected: boolean) =>
    Array.from({ length: days }).reduce<Past>((past) => pastAfter(past, highDay(40), isExpected), calm);
  expect([told(40, after(40, false)), told(40, after(2, true)), told(40, after(3, true))]).toEqual([true, true, false]);
});

test('a measure that was told is told from half of its limit on, until a day below that or the person expects it', () => {
  const among = (high: number) => dayOf({ RunScript: { requested: 100, high } });
  const calm = Array.from({ length: 20 }).reduce<Past>((past) => pastAfter(past, among(6), true), NO_PAST);
  const after = (isExpected: boolean, ...high: number[]) =>
    high.reduce((past, count) => pastAfter(past, among(count), isExpected), calm);
  const limits = [[13], [13, 7], [13, 7, 7], [13, 6], []].map((high) => [
    told(6, after(false, ...high)),
    told(7, after(false, ...high)),
  ]);
  expect(limits).toEqual([
    [false, true],
    [false, true],
    [false, true],
    [false, false],
    [false, false],
  ]);
  expect([told(12, calm), told(13, calm)]).toEqual([false, true]);
  expect(told(7, after(true, 13))).toBe(false);
  expect(exceeded({ ...NONE, novel: 9 }, after(false, 13))).toEqual([]);
});

test('on the first days of a program, new targets and looks at the screen are told from a third of their limit on', () => {
  const past = pastOf(new Array<number>(14).fill(8));
  const found = (some: Partial<Amounts>, isFresh: boolean) => exceeded({ ...NONE, ...some }, past, isFresh).length;
  expect([5, 6].map((novel) => found({ novel }, true))).toEqual([0, 1]);
  expect([5, 6].map((captured) => found({ captured }, true))).toEqual([0, 1]);
  expect([found({ novel: 15 }, false), found({ high: 16 }, true)]).toEqual([0, 0]);
});

test('the first days of a requester always teach', () => {
  const past = [30, 30, 30, 30].reduce<Past>((before, high) => pastAfter(before, highDay(high), false), NO_PAST);
  expect([past.days.length, told(30, past)]).toEqual([4, false]);
});

test('a requester is young for fourteen days, told or not', () => {
  const after = (days: number) =>
    Array.from({ length: days }).reduce<Past>((past) => pastAfter(past, highDay(40), false), pastOf([0, 0, 0, 0]));
  expect([isYoung(after(9)), isYoung(after(10))]).toEqual([true, false]);
});

test('new work is one heap: a second day of nearly as many new targets is told, and the rest of a heap is not', () => {
  const after = (...novel: number[]) =>
    [...new Array<number>(14).fill(6), ...novel].reduce<Past>(
      (past, count) => pastAfter(past, dayOf({ ReadFile: { requested: 400, novel: count } }), false),
      NO_PAST,
    );
  const isTold = (novel: number, past: Past) => exceeded({ ...NONE, requested: 400, novel }, past).length > 0;
  expect([isTold(30, after()), isTold(30, after(30)), isTold(21, after(30))]).toEqual([false, true, false]);
  expect([isTold(20, after(20)), isTold(21, after(20))]).toEqual([false, true]);
  expect(isTold(30, after(30, 30, 30, 30))).toBe(true);
});
