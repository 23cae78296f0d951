import { expect, test } from 'vitest';
import { byUrgency, chosen, queueRows } from '../../renderer/src/prompt/urgency.ts';
import type { RiskLevel } from '../../src/contract/action.ts';
import { waiting } from './made-up.ts';

const ids = (list: { id: string }[]) => list.map(({ id }) => id);
const levels: RiskLevel[] = ['low', 'medium', 'high', 'critical'];

test('the highest risk comes first, within it the oldest, within one instant the place the daemon gave', () => {
  const list = [
    ...levels.map((level, index) => waiting(`young ${level}`, { level, ageMs: 10 - index })),
    ...levels.map((level) => waiting(`old ${level}`, { level, ageMs: 5_000 })),
    waiting('second in its instant', { level: 'low', ageMs: 9_000, place: 9 }),
    waiting('first in its instant', { level: 'low', ageMs: 9_000, place: 8 }),
  ];
  expect(ids(byUrgency(list))).toEqual([
    'old critical',
    'young critical',
    'old high',
    'young high',
    'old medium',
    'young medium',
    'first in its instant',
    'second in its instant',
    'old low',
    'young low',
  ]);
});

const medium = waiting('medium', { level: 'medium' });
const high = waiting('high', { level: 'high' });

test('the most urgent prompt is shown first', () => {
  expect(chosen([medium, high], { atId: undefined, isAttended: true })).toBe(high);
  expect(chosen([], { atId: undefined, isAttended: true })).toBeUndefined();
});

test('a prompt a person reads is not replaced by a more urgent one until they look away or it ends', () => {
  const read = { ...medium, shownAt: medium.createdAt };
  expect(chosen([read, high], { atId: 'medium', isAttended: true })).toBe(read);
  expect(chosen([read, high], { atId: 'medium', isAttended: false })).toBe(high);
  expect(chosen([high], { atId: 'medium', isAttended: true })).toBe(high);
});

test('a prompt that was not fully on screen yet gives way to a more urgent one', () => {
  expect(chosen([medium, high], { atId: 'medium', isAttended: true })).toBe(high);
});

test('the queue is what waits behind the prompt that is shown', () => {
  expect(queueRows([medium, high], 'high')).toEqual([{ kind: 'one', confirmation: medium }]);
});

test('three waiting of one user are three rows; a fourth makes them one, the shown one among them', () => {
  const three = ['a', 'b', 'c'].map((id) => waiting(id, { level: 'low', userId: 'flooder' }));
  expect(queueRows([medium, ...three], 'medium')).toHaveLength(3);
  const four = [...three, waiting('d', { level: 'high', userId: 'flooder' })];
  expect(queueRows([medium, ...four], 'd')).toEqual([
    { kind: 'flood', userId: 'flooder', confirmations: byUrgency(four) },
    { kind: 'one', confirmation: medium },
  ]);
});
