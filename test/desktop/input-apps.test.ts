import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unhurried } from './linux-input-rig.ts';
import { useHands } from './use-hands.ts';

const on = useHands();

/** Latin with accents, CJK, emoji of several code points, Arabic, shifted symbols. */
const PARTS = [
  'Grüße, “Ça va?” ',
  '日本語と中文 ',
  '👩‍👩‍👧‍👦🇪🇺 ',
  'مرحبا بالعالم ',
  '{}|~^`"<>@# ',
  'ñandú Ελληνικά Привет ',
];
const MIXED = Array.from({ length: 2_000 }, (_, index) => PARTS[index % PARTS.length])
  .join('')
  .slice(0, 2_000)
  .toWellFormed()
  .replaceAll('\ufffd', '.');

test('2,000 characters of many scripts are typed into an editor and saved through its menu, byte for byte', async () => {
  const file = join(on.folder, 'typed.txt');
  const { window, app } = await on.rig.open('mousepad', ['--disable-server', file]);
  await on.rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  const typed = await on.hands.input.typeText({ text: MIXED }, unhurried());
  expect(typed).toMatchObject({ ok: true, effect: 'confirmed', delivered: 'yes', safeToRepeat: false });
  const again = await on.hands.input.typeText({ text: 'Az 09 ~{}|\n\tend', newline: true, tab: true }, unhurried());
  expect(again).toMatchObject({ ok: true, effect: 'confirmed' });
  const windowId = window.id;
  expect(await on.hands.input.invokeMenu({ windowId, path: ['File', 'Save'] }, unhurried())).toMatchObject({
    ok: true,
    effect: 'confirmed',
  });
  const saved = await on.rig.until('the file is saved', () => {
    try {
      // The editor makes the file before it writes.
      return readFileSync(file, 'utf8') || null;
    } catch {
      return null;
    }
  });
  expect(saved.replace(/\n$/, '')).toBe(`${MIXED}Az 09 ~{}|\n\tend`);
  await app.end();
});

test('a calculator computes by clicks on its elements', async () => {
  const { app } = await on.rig.open('gnome-calculator');
  const press = async (name: string) => {
    const button = await on.rig.until(`the button ${name} is described`, async () =>
      (await on.hands.describe()).elements.find((element) => element.role === 'button' && element.name === name),
    );
    const seen = await on.hands.input.sight({ kind: 'element', elementId: button.id }, unhurried());
    if (!seen.ok || seen.data.element?.bounds === null || seen.data.element === null)
      throw new Error(`${name} is gone`);
    const { x, y, width, height } = seen.data.element.bounds;
    expect(seen.data).toMatchObject({
      app: { appName: 'Calculator' },
      pid: app.pid,
      element: { role: 'button', name },
    });
    const at = { x: x + width / 2, y: y + height / 2 };
    expect(await on.hands.input.click({ at }, unhurried())).toMatchObject({
      ok: true,
      delivered: 'yes',
    });
  };
  for (const name of ['7', '+', '8', '=']) await press(name);
  await on.rig.until('the result shows', async () =>
    (await on.hands.describe()).elements.some(({ value = '', name }) => `${value} ${name}`.includes('15')),
  );
  await app.end();
});
