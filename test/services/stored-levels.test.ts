import { expect, test } from 'vitest';
import { createIds } from '../../src/services/context.ts';
import { createHeldLevels } from '../../src/services/guardian/risk.ts';
import { startServices } from './rig.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function started() {
  const { clock, store } = startServices();
  const ignore = () => undefined;
  const context = { store, clock, newId: createIds(clock), log: { info: ignore, warn: ignore, error: ignore } };
  return { clock, start: () => createHeldLevels(context) };
}

test('a moderate level is held over a short gap, and not over one as long as its window', () => {
  const { clock, start } = started();
  const levels = start();
  expect(levels.level(DAY_MS, 30)).toBe('moderate');
  clock.advance(DAY_MS - 1);
  expect(levels.level(DAY_MS, 0)).toBe('moderate');
  clock.advance(DAY_MS);
  expect(levels.level(DAY_MS, 0)).toBe('low');
});

test('a level above moderate is held over any gap', () => {
  const { clock, start } = started();
  const levels = start();
  levels.level(DAY_MS, 60);
  clock.advance(2 * DAY_MS);
  expect(levels.level(DAY_MS, 0)).toBe('high');
});

test('levels are held for a hundred lengths of windows, and any other has the level of its score', () => {
  const { start } = started();
  const levels = start();
  const afterCalm = (days: number) => [levels.level(days * DAY_MS, 30), levels.level(days * DAY_MS, 0)];
  const held = Array.from({ length: 101 }, (_, index) => afterCalm(index + 1)[1]);
  expect(held).toEqual([...Array.from({ length: 100 }, () => 'moderate'), 'low']);
});

test('a restart after such a gap begins with the level of the score', () => {
  const { clock, start } = started();
  const levels = start();
  levels.level(DAY_MS, 30);
  levels.keep();
  clock.advance(10 * MINUTE_MS);
  expect(start().level(DAY_MS, 0)).toBe('moderate');
  clock.advance(DAY_MS);
  expect(start().level(DAY_MS, 0)).toBe('low');
});
