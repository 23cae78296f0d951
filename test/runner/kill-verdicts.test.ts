import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { type Act, type Got, gotOf, lieIn, type Told } from '../bench/kills/verdict.ts';
import type { Seen } from '../bench/kills/witness.ts';

const NOTHING: Seen = { text: '', clicks: 0, chords: 0, drags: 0, presses: 0, releases: 0 };
const TEXT: Act = { actionType: 'TypeText', text: 'abcd' };
const CLICK: Act = { actionType: 'Click' };

test.each<[Act, Partial<Seen>, Got]>([
  [TEXT, {}, 'nothing'],
  [TEXT, { text: 'ab' }, 'part'],
  [TEXT, { text: 'abcd' }, 'whole'],
  [TEXT, { text: 'abcdab' }, 'twice'],
  [TEXT, { text: 'acd' }, 'other'],
  [TEXT, { text: 'abcd', clicks: 1 }, 'other'],
  [CLICK, {}, 'nothing'],
  [CLICK, { presses: 1 }, 'part'],
  [CLICK, { presses: 1, releases: 1, clicks: 1 }, 'whole'],
  [CLICK, { clicks: 2 }, 'twice'],
  [CLICK, { text: 'a' }, 'other'],
  [{ actionType: 'Drag' }, { presses: 1, releases: 1 }, 'part'],
  [{ actionType: 'Drag' }, { presses: 1, releases: 1, drags: 1 }, 'whole'],
  [{ actionType: 'PressKeys' }, { chords: 1 }, 'whole'],
])('of %j a window that saw %j got %s', (act, seen, got) => {
  expect(gotOf(act, { ...NOTHING, ...seen })).toBe(got);
});

const told = (status: Action['status'], effect: Action['effect'], delivered?: 'yes' | 'no' | 'unknown') =>
  ({ status, effect, ...(delivered && { data: { delivered, safeToRepeat: false } }) }) satisfies Told;

test.each<[Told, Got[]]>([
  [told('success', 'confirmed', 'yes'), ['whole']],
  [told('success', 'unverified', 'yes'), ['whole']],
  [told('failed', 'none', 'no'), ['nothing']],
  [told('failed', 'none'), ['nothing']],
  [told('failed', 'unverified', 'yes'), ['part', 'whole']],
  [told('unknown', 'unverified', 'unknown'), ['nothing', 'part', 'whole']],
])('what is true of %j', (action, trueOnes) => {
  const all: Got[] = ['nothing', 'part', 'whole', 'twice', 'other'];
  expect(all.filter((got) => lieIn(action, got) === undefined)).toEqual(trueOnes);
});
