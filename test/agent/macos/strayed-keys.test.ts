import { expect, test } from 'vitest';
import type { InputDriver, InputOutcome } from '../../../agent/drivers/input.ts';
import { createMacRig, unhurried } from './rig.ts';

const STRAYED = { ok: false, code: 'target_changed', sideEffect: 'done', delivered: 'yes', safeToRepeat: false };

/** Does an input while Chrome comes to the front after so many keys, and counts the keys that were pressed after that. */
async function acrossApps(keysBefore: number, act: (input: InputDriver) => Promise<InputOutcome>) {
  const { mac, input, browser } = createMacRig();
  const other = mac.processes.find(({ app }) => app === browser);
  let [keys, strayed] = [0, 0];
  const { seen } = mac.hands;
  seen.push = (...lines) => {
    for (const line of lines) {
      if (!/^(?:press|type) /.test(line)) continue;
      keys += 1;
      if (mac.frontmostPid === other?.pid) strayed += 1;
      if (keys === keysBefore) mac.activate(other?.pid ?? 0);
    }
    return keys;
  };
  return { outcome: await act(input), strayed, down: [...mac.hands.down] };
}

test('N34: a key that is pressed again and again ends when another app takes the keyboard', async () => {
  const { outcome, strayed } = await acrossApps(5, (input) => input.pressKeys({ keys: 'f5', repeat: 100 }, unhurried));
  expect(outcome).toMatchObject({
    ...STRAYED,
    message: 'Another window took the keyboard. It was pressed 5 times.',
  });
  expect(strayed).toBe(0);
});

test('N34: keys that are held are let go when another app takes the keyboard', async () => {
  const wish = { keys: 'ctrl+f5', holdMs: 9_000 };
  const { outcome, down } = await acrossApps(2, (input) => input.pressKeys(wish, unhurried));
  expect(outcome).toMatchObject({
    ...STRAYED,
    message: 'Another window took the keyboard. The keys were held for a shorter time.',
  });
  expect(down).toEqual([]);
});

test('N34: typing ends when another app takes the keyboard, at most 20 characters later', async () => {
  const { outcome, strayed } = await acrossApps(30, (input) => input.typeText({ text: 'x'.repeat(200) }, unhurried));
  expect(outcome).toMatchObject({ ...STRAYED, message: 'Another window took the keyboard. 40 characters were typed.' });
  expect(strayed).toBe(10);
});

test('an app that is too busy to tell its window still gets its keys', async () => {
  const { mac, input, textEditProcess } = createMacRig();
  let keys = 0;
  mac.hands.seen.push = (...lines) => {
    keys += lines.filter((line) => line.startsWith('press ')).length;
    textEditProcess.hung = keys >= 3 && keys < 6;
    return keys;
  };
  expect(await input.pressKeys({ keys: 'f5', repeat: 9 }, unhurried)).toMatchObject({ ok: true });
  expect(keys).toBe(9);
});
