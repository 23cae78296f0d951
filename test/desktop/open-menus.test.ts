import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { Sighting } from '../../agent/drivers/input.ts';
import { click } from '../../agent/hands/pointer.ts';
import { controlOf } from '../../agent/targets/control.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import { unhurried } from './linux-input-rig.ts';
import { useHands } from './use-hands.ts';

const on = useHands();

const focus = () => on.sight({ kind: 'focus' });

/** An element with a place. In an editor the text has no name. */
async function element(role: RegExp, name: string): Promise<ScreenElement & { middle: { x: number; y: number } }> {
  const isIt = (one: ScreenElement) => role.test(one.role) && one.name === name && one.bounds !== null;
  const found = await on.rig.until(`${name} is described`, async () => (await on.hands.describe()).elements.find(isIt));
  const { x = 0, y = 0, width = 0, height = 0 } = found.bounds ?? {};
  return { ...found, middle: { x: Math.round(x + width / 2), y: Math.round(y + height / 2) } };
}

const isCovered = async ({ id: elementId }: ScreenElement) =>
  (await on.sight({ kind: 'element', elementId })).isCovered;

/** The middle of an element is clicked, as the agent does it. */
async function clickOn({ id: elementId }: ScreenElement) {
  const reference = { kind: 'element', elementId } as const;
  const target = { ...reference, control: controlOf(await on.sight(reference)) };
  const driver: Pick<Driver, 'input'> = { input: () => on.hands.input };
  return click(driver as Driver, { elementId }, { ...unhurried(), targets: [target] });
}

/** A browser that has just started may drop a click on its page, so it is clicked again until a menu comes. */
async function rightClick(at: { x: number; y: number }): Promise<void> {
  await on.rig.until('a right click opens a menu', async () => {
    expect(await on.hands.input.click({ at, button: 'right' }, unhurried())).toMatchObject({ ok: true });
    return untilMenu(true).catch(() => undefined);
  });
}

async function closeMenu(): Promise<void> {
  await on.rig.ask('xdotool', 'key', 'Escape');
  await untilMenu(false);
}

/** A small button lies where the menu of the link will be. */
const PAGE = `<title>Menus</title><textarea autofocus style="width:100%;height:80vh">Text</textarea>
  <div style="position:fixed;left:20px;top:100px;background:#fff;width:400px;height:300px">
  <a href="#more" style="position:absolute;left:10px;top:10px">More</a>
  <button style="position:absolute;left:90px;top:24px;width:60px;height:24px">Small</button>
  <select aria-label="Size" style="position:absolute;left:250px;top:10px"><option>Little<option>Large<option>Huge</select></div>`;

async function untilMenu(isMenuOpen: boolean): Promise<Sighting> {
  return on.rig.until(`a menu is ${isMenuOpen ? 'open' : 'closed'}`, async () => {
    const seen = await focus();
    return (seen.isMenuOpen === true) === isMenuOpen && seen;
  });
}

/** Opens the context menu of the middle of a window with a text, and closes it. */
async function opensAndCloses(id: string): Promise<void> {
  await on.rig.ask('xdotool', 'windowactivate', '--sync', id);
  await untilMenu(false);
  const { x, y, width, height } = await on.rig.area(id);
  const at = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  await rightClick(at);
  await closeMenu();
}

test('N37: in Mousepad, the menu over a text is told, whatever has the focus', async () => {
  const { window, app } = await on.rig.open('mousepad', ['--disable-server']);
  await opensAndCloses(window.id);
  await app.end();
});

test('N40: in Mousepad, an element behind an open menu is not clicked, and the items of its menus are', async () => {
  const { window, app } = await on.rig.open('mousepad', ['--disable-server']);
  await on.rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  await untilMenu(false);
  const text = await element(/textbox/u, '');
  await rightClick({ x: text.middle.x - 100, y: text.middle.y - 40 });
  expect(await clickOn(text)).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  await untilMenu(true);
  const paste = await element(/menuitem/u, 'Paste');
  expect(await isCovered(paste)).toBe(false);
  expect(await on.sight({ kind: 'point', point: paste.middle })).toMatchObject({ element: { name: 'Paste' } });
  await closeMenu();
  expect(await clickOn(text)).toMatchObject({ ok: true });
  expect(await clickOn(await element(/menuitem/u, 'File'))).toMatchObject({ ok: true });
  const save = await element(/menuitem/u, 'Save');
  expect(await isCovered(save)).toBe(false);
  expect(await on.sight({ kind: 'point', point: save.middle })).toMatchObject({ element: { name: 'Save' } });
  expect(await on.sight({ kind: 'point', point: save.middle })).not.toHaveProperty('isPart');
  await closeMenu();
  await app.end();
});

test('N37: in Chromium, the menu over a field of a page is told, and no menu where there is none', async () => {
  const page = join(on.folder, 'page.html');
  writeFileSync(page, PAGE);
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  const { window } = await on.rig.open('chromium', [
    ...flags,
    `--user-data-dir=${on.folder}/profile`,
    `file://${page}`,
  ]);
  // The browser shows its window before it takes clicks on the page.
  await on.rig.until('the field of the page has the keyboard', async () => {
    const sighted = await on.hands.input.sight({ kind: 'focus' }, unhurried());
    return sighted.ok && sighted.data.element?.isEditable === true && sighted.data.documents.length > 0;
  });
  await opensAndCloses(window.id);
});

test('N40: in Chromium, an element behind an open menu is not clicked, and entries of a list of the page are', async () => {
  const [small, link] = [await element(/button/u, 'Small'), await element(/link/u, 'More')];
  await rightClick(link.middle);
  const item = await element(/menuitem/u, 'Open link in new tab');
  const behind = await on.sight({ kind: 'element', elementId: small.id });
  expect([behind.isCovered, await isCovered(item)]).toEqual([true, false]);
  // A point of the menu is of the menu, also where a smaller element lies behind.
  expect(await on.sight({ kind: 'point', point: small.middle })).toMatchObject({ element: { role: 'menuitem' } });
  expect(await clickOn(small)).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  await closeMenu();
  expect(await isCovered(small)).toBe(false);
  expect(await clickOn(await element(/combobox/u, 'Size'))).toMatchObject({ ok: true });
  await untilMenu(true);
  const large = await element(/menuitem|option/u, 'Large');
  expect(await on.sight({ kind: 'point', point: large.middle })).toMatchObject({ element: { name: 'Large' } });
  expect(await clickOn(large)).toMatchObject({ ok: true });
  await untilMenu(false);
  expect(await element(/combobox/u, 'Size')).toMatchObject({ value: 'Large' });
});
