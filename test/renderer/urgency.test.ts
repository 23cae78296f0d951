import { expect, test } from 'vitest';
import { byUrgency, chosen, equalTo, queueRows } from '../../renderer/src/prompt/urgency.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import { waiting } from './made-up.ts';

const ids = (list: { id: string }[]) => list.map(({ id }) => id);

test('the prompts are in the places that the daemon gave them, whatever their risk and age', () => {
  const list = [
    waiting('third', { level: 'critical', ageMs: 5_000, place: 3 }),
    waiting('first', { level: 'medium', place: 1 }),
    waiting('second', { level: 'high', ageMs: 9_000, place: 2 }),
  ];
  expect(ids(byUrgency(list))).toEqual(['first', 'second', 'third']);
});

const medium = waiting('medium', { level: 'medium', place: 2 });
const high = waiting('high', { level: 'high', place: 1 });

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
  expect(queueRows([medium, high], high)).toEqual([{ kind: 'one', confirmation: medium, count: 1 }]);
});

test('three different requests of one user are three rows; a fourth makes them one, the shown one among them', () => {
  const three = ['a', 'b', 'c'].map((id) => waiting(id, { userId: 'flooder', place: 3 }));
  expect(queueRows([medium, ...three], medium)).toHaveLength(3);
  const shown = waiting('d', { level: 'high', userId: 'flooder', place: 1 });
  const four = [...three, shown];
  expect(queueRows([medium, ...four], shown)).toEqual([
    { kind: 'flood', userId: 'flooder', confirmations: byUrgency(four) },
    { kind: 'one', confirmation: medium, count: 1 },
  ]);
});

test('equal requests are one prompt, or one row with their number', () => {
  const asked = waiting('a', { userId: 'looper', place: 2 });
  const again = ['b', 'c', 'd'].map((id, index) => ({
    ...waiting(id, { userId: 'looper', place: 3 + index }),
    ...questionOf(asked),
  }));
  const all = [high, asked, ...again];
  expect(queueRows(all, high)).toEqual([{ kind: 'one', confirmation: asked, count: 4 }]);
  expect(queueRows(all, asked)).toEqual([{ kind: 'one', confirmation: high, count: 1 }]);
  expect(ids(equalTo(asked, all))).toEqual(['b', 'c', 'd']);
});

test('a request for the same action that asks another question, and a plan, are equal to none', () => {
  const asked = waiting('a');
  const riskier = { ...waiting('b', { level: 'high' }), actionDigest: asked.actionDigest };
  expect(equalTo(asked, [asked, riskier])).toEqual([]);
  const plans = ['one', 'other'].map((id) => waiting(id, { plan: [{ id: 'step' }] }));
  for (const plan of plans) expect(equalTo(plan, plans)).toEqual([]);
  expect(queueRows(plans, undefined)).toHaveLength(2);
});

function questionOf({ question }: Confirmation): Pick<Confirmation, 'question'> {
  return question === undefined ? {} : { question };
}
