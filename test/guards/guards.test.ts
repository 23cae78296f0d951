import { expect, test } from 'vitest';
import { EVERY_GUARD } from './every-guard.ts';
import { FILE_GUARDS } from './file-guards.ts';
import { GUARDS } from './guards.ts';
import { everyMark } from './marks.ts';
import { outOfDate } from './out-of-date.ts';

const ROWS = [
  'A1',
  'A10',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'A7',
  'A8',
  'A9',
  'D3',
  'L1',
  'S1',
  'S3',
  'S4',
  'S5',
  'S6',
  'U1',
  'U2',
];

test('every row of the rail has a guard that can be taken out', () => {
  expect([...new Set(GUARDS.map(({ row }) => row))].toSorted()).toEqual(ROWS);
});

test('every row of files and scripts has a guard that can be taken out', () => {
  const rows = [...new Set(FILE_GUARDS.map(({ row }) => row))].toSorted();
  const files = ['F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9'];
  const scripts = [
    'X1',
    'X10',
    'X11',
    'X12',
    'X13',
    'X14',
    'X15',
    'X16',
    'X17',
    'X2',
    'X3',
    'X4',
    'X5',
    'X6',
    'X7',
    'X8',
    'X9',
  ];
  expect(rows).toEqual([...files, ...scripts]);
});

test('every mark in the product is named by a guard', () => {
  const named = new Set(EVERY_GUARD.map(({ removed }) => removed.mark));
  expect(everyMark().filter((mark) => !named.has(mark))).toEqual([]);
});

test('the mark of every guard stands in the product once, and the test that holds it has the title', () => {
  expect(EVERY_GUARD.flatMap(outOfDate)).toEqual([]);
});
