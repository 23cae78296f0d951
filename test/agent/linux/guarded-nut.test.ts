import { expect, test } from 'vitest';
import { createGuardedNut } from '../../../agent/drivers/linux/screenshot.ts';

type Nut = typeof import('@nut-tree-fork/nut-js');
const nut = { screen: {} } as Nut;

test('nut.js is handed out for the connection it was first used on, and for no other', async () => {
  const guarded = createGuardedNut(async () => nut);
  const answers = [];
  for (const connection of [2, 2, 3]) answers.push(await guarded.on(connection));
  expect(answers).toEqual([nut, nut, null]);
});

test('nut.js is loaded when it is first wanted, and once', async () => {
  let loads = 0;
  const guarded = createGuardedNut(async () => {
    loads += 1;
    return nut;
  });
  expect(loads).toBe(0);
  expect([await Promise.all([guarded.on(7), guarded.on(7)]), loads]).toEqual([[nut, nut], 1]);
});

test('where nut.js cannot be loaded, there is none', async () => {
  expect(await createGuardedNut(() => Promise.reject(new Error('no such library'))).on(1)).toBeNull();
});
