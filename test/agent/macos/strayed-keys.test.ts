import { expect, test } from 'vitest';
import type { InputDriver, InputOutcome } from '../../../agent/drivers/input.ts';
import type { Target } from '../../../src/contract/targets.ts';
import { performBy } from '../perform-by.ts';
import { focusedIn, withinElement } from './fake-hands.ts';
import type { FakeElement } from './fake-mac.ts';
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

/** Types or presses while the page with the keyboard goes on to another one after so many keys, and counts those after that. */
async function acrossPages(keysBefore: number, actionType: string, parameters: object) {
  const { mac, driver } = createMacRig();
  const field = focusedIn(mac);
  const page: FakeElement = { role: 'AXWebArea', url: 'https://shop.example/form', children: field ? [field] : [] };
  const window = mac.windows.find(
    ({ element }) => element !== null && withinElement(element).some((one) => one === field),
  );
  if (window?.element) window.element.children = [page];
  const looked = await performBy<{ targets: Target[] }>(driver, 'ResolveTargets', { references: [{ kind: 'focus' }] });
  const targets = looked.ok ? looked.data.targets : [];
  let [keys, strayed] = [0, 0];
  mac.hands.seen.push = (...lines) => {
    for (const line of lines) {
      if (!/^(?:press|type) /.test(line)) continue;
      keys += 1;
      if (page.url === 'https://other.example/') strayed += 1;
      page.url = keys >= keysBefore ? 'https://other.example/' : `https://shop.example/form?keys=${keys}#here`;
    }
    return keys;
  };
  const outcome = await performBy(driver, actionType, parameters, { targets });
  return { outcome, keys, strayed };
}

const ANOTHER_PAGE = 'The keyboard is no longer in the page that was judged. No more keys were sent.';

test('N42: a key that is pressed again and again ends when the page goes on to another one, not by its own query', async () => {
  const { outcome, keys, strayed } = await acrossPages(5, 'PressKeys', { keys: 'f5', repeat: 30 });
  const message = `${ANOTHER_PAGE} It was pressed 5 times.`;
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'done', message });
  expect([keys, strayed]).toEqual([5, 0]);
});

test('N42: typing ends when the page goes on to another one, at most 20 characters later', async () => {
  const { outcome, strayed } = await acrossPages(30, 'TypeText', { text: 'x'.repeat(200) });
  const message = `${ANOTHER_PAGE} 40 characters were typed.`;
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'done', message });
  expect(strayed).toBe(10);
});

test('N42: no text follows the emptying of a field that makes the page go on to another one', async () => {
  const { outcome, strayed } = await acrossPages(1, 'TypeText', { text: 'new', clear: true });
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'done', message: ANOTHER_PAGE });
  // Of the chord and the key that empty it, sent together.
  expect(strayed).toBeLessThanOrEqual(2);
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
