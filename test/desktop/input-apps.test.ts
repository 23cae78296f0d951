import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InputRig, startInput, unhurried } from './linux-input-rig.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
let hands: InputRig;
let folder: string;

beforeAll(async () => {
  rig = await startRig();
  hands = startInput(rig, { watchesPerson: false });
  folder = mkdtempSync(join(tmpdir(), 'handrail-input-'));
});

afterAll(async () => {
  await hands?.close();
  await rig?.close();
  rmSync(folder, { recursive: true, force: true });
});

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
  const file = join(folder, 'typed.txt');
  const { window, app } = await rig.open('mousepad', ['--disable-server', file]);
  await rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  const typed = await hands.input.typeText({ text: MIXED }, unhurried());
  expect(typed).toMatchObject({ ok: true, effect: 'confirmed', delivered: 'yes', safeToRepeat: false });
  const again = await hands.input.typeText({ text: 'Az 09 ~{}|\n\tend', newline: true, tab: true }, unhurried());
  expect(again).toMatchObject({ ok: true, effect: 'confirmed' });
  const windowId = window.id;
  expect(await hands.input.invokeMenu({ windowId, path: ['File', 'Save'] }, unhurried())).toMatchObject({
    ok: true,
    effect: 'confirmed',
  });
  const saved = await rig.until('the file is saved', () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  });
  expect(saved.replace(/\n$/, '')).toBe(`${MIXED}Az 09 ~{}|\n\tend`);
  await app.end();
});

test('a calculator computes by clicks on its elements', async () => {
  const { app } = await rig.open('gnome-calculator');
  const press = async (name: string) => {
    const button = await rig.until(`the button ${name} is described`, async () =>
      (await hands.describe()).elements.find((element) => element.role === 'button' && element.name === name),
    );
    const seen = await hands.input.sight({ kind: 'element', elementId: button.id }, unhurried());
    if (!seen.ok || seen.data.element?.bounds === null || seen.data.element === null)
      throw new Error(`${name} is gone`);
    const { x, y, width, height } = seen.data.element.bounds;
    expect(seen.data).toMatchObject({
      app: { appName: 'Calculator' },
      pid: app.pid,
      element: { role: 'button', name },
    });
    const at = { x: x + width / 2, y: y + height / 2 };
    expect(await hands.input.click({ at }, unhurried())).toMatchObject({
      ok: true,
      delivered: 'yes',
    });
  };
  for (const name of ['7', '+', '8', '=']) await press(name);
  await rig.until('the result shows', async () =>
    (await hands.describe()).elements.some(({ value = '', name }) => `${value} ${name}`.includes('15')),
  );
  await app.end();
});
