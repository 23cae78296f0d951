import { expect, test } from 'vitest';
import type { PressKeysWish } from '../../agent/drivers/input.ts';
import { type HitWindow, showHits } from './hits.ts';
import { unhurried } from './linux-input-rig.ts';
import { useHands } from './use-hands.ts';

const on = useHands();

/** Presses keys, and gives the keyboard to another window once the first press has come. */
async function pressedAcross(wish: PressKeysWish) {
  const judged = await showHits(on.rig, { title: 'Judged', area: { x: 40, y: 60, width: 300, height: 200 } });
  const other = await showHits(on.rig, { title: 'Other', area: { x: 500, y: 60, width: 300, height: 200 } });
  await on.rig.ask('xdotool', 'windowactivate', '--sync', judged.id);
  const pressing = on.hands.input.pressKeys(wish, unhurried());
  await on.rig.until('the judged window gets a key', () => presses(judged) > 0);
  await on.rig.ask('xdotool', 'windowactivate', '--sync', other.id);
  const outcome = await pressing;
  const strayed = presses(other);
  await Promise.all([judged.end(), other.end()]);
  return { outcome, strayed };
}

const STRAYED = { ok: false, code: 'target_changed', sideEffect: 'done', delivered: 'yes', safeToRepeat: false };
const message = (howFar: RegExp) => expect.stringMatching(howFar);

test('N34: a key that is pressed again and again ends when another window takes the keyboard', async () => {
  const { outcome, strayed } = await pressedAcross({ keys: 'a', repeat: 100, holdMs: 60 });
  expect(outcome).toMatchObject({ ...STRAYED, message: message(/^Another window took the keyboard\. /) });
  // One key may be under way to the server when the window changes.
  expect(strayed).toBeLessThanOrEqual(1);
});

test('N34: keys that are held are let go when another window takes the keyboard', async () => {
  const { outcome } = await pressedAcross({ keys: 'ctrl+shift+a', holdMs: 9_000 });
  const howFar = /^Another window took the keyboard\. The keys were held for a shorter time\.$/;
  expect(outcome).toMatchObject({ ...STRAYED, message: message(howFar) });
  expect(await on.rig.ask('xinput', 'query-state', 'Virtual core XTEST keyboard')).not.toContain('=down');
});

function presses({ hits }: HitWindow): number {
  return hits.filter(({ name }) => name === 'KeyPress').length;
}
