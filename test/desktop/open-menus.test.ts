import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sighting } from '../../agent/drivers/input.ts';
import { type InputRig, startInput, unhurried } from './linux-input-rig.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
let hands: InputRig;
let folder: string;

beforeAll(async () => {
  rig = await startRig();
  hands = startInput(rig, { watchesPerson: false });
  folder = mkdtempSync(join(tmpdir(), 'handrail-menus-'));
});

afterAll(async () => {
  await hands?.close();
  await rig?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function focus(): Promise<Sighting> {
  const found = await hands.input.sight({ kind: 'focus' }, unhurried());
  if (!found.ok) throw new Error(found.message);
  return found.data;
}

async function untilMenu(isMenuOpen: boolean): Promise<Sighting> {
  return rig.until(`a menu is ${isMenuOpen ? 'open' : 'closed'}`, async () => {
    const seen = await focus();
    return (seen.isMenuOpen === true) === isMenuOpen && seen;
  });
}

/** Opens the context menu of the middle of a window with a text, and closes it. */
async function opensAndCloses(id: string): Promise<void> {
  await rig.ask('xdotool', 'windowactivate', '--sync', id);
  await untilMenu(false);
  const { x, y, width, height } = await rig.area(id);
  const at = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  expect(await hands.input.click({ at, button: 'right' }, unhurried())).toMatchObject({ ok: true });
  await untilMenu(true);
  await rig.ask('xdotool', 'key', 'Escape');
  await untilMenu(false);
}

test('N37: in Mousepad, the menu over a text is told, whatever has the focus', async () => {
  const { window, app } = await rig.open('mousepad', ['--disable-server']);
  await opensAndCloses(window.id);
  await app.end();
});

test('N37: in Chromium, the menu over a field of a page is told, and no menu where there is none', async () => {
  const page = join(folder, 'page.html');
  writeFileSync(page, '<title>Menus</title><textarea autofocus style="width:100%;height:95vh">Text</textarea>');
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  const { window, app } = await rig.open('chromium', [...flags, `--user-data-dir=${folder}/profile`, `file://${page}`]);
  // The browser shows its window before it takes clicks on the page.
  await rig.until('the field of the page has the keyboard', async () => {
    const sighted = await hands.input.sight({ kind: 'focus' }, unhurried());
    return sighted.ok && sighted.data.element?.isEditable === true && sighted.data.documents.length > 0;
  });
  await opensAndCloses(window.id);
  await app.end();
});
