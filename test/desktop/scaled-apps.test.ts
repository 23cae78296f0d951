import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { click } from '../../agent/hands/pointer.ts';
import { controlOf } from '../../agent/targets/control.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import { unhurried } from './linux-input-rig.ts';
import { useHands } from './use-hands.ts';

/** Apps that draw twice as large, as on a screen of 200 %: the desktop's pixels are not those that they count in. */

const on = useHands({ width: 1920, height: 1200 });

const described = (role: string, name: string) =>
  on.rig.until(`the ${role} ${name} is described`, async () =>
    (await on.hands.describe()).elements.find((one) => one.role === role && one.name === name && one.bounds !== null),
  );

function middleOf({ bounds }: ScreenElement) {
  if (bounds === null) throw new Error('expected a place');
  return { x: Math.floor(bounds.x + bounds.width / 2), y: Math.floor(bounds.y + bounds.height / 2) };
}

/** Judged by its ref and clicked as the agent does it, with another look before the click. */
async function clickOn({ id: elementId }: ScreenElement) {
  const control = controlOf(await on.sight({ kind: 'element', elementId }));
  const driver: Pick<Driver, 'input'> = { input: () => on.hands.input };
  const targets = [{ kind: 'element', elementId, control } as const];
  expect(await click(driver as Driver, { elementId }, { ...unhurried(), targets })).toMatchObject({
    ok: true,
  });
}

const titled = (title: string) =>
  on.rig.until(`a window is called ${title}`, async () =>
    (await on.rig.windows()).some((one) => one.title.includes(title)),
  );

test('the whole menu bar of a GTK 3 app is told where it is drawn, and its menus and their items act', async () => {
  const { app, window } = await on.rig.open('env', ['GDK_SCALE=2', 'mousepad', '--disable-server']);
  const file = await described('menuitem', 'File');
  const bar = (await on.hands.describe()).elements.filter(({ role }) => role === 'menuitem');
  expect(bar.map(({ name }) => name)).toEqual(['File', 'Edit', 'Search', 'View', 'Document', 'Help']);
  const area = await on.rig.area(window.id);
  expect(file.bounds?.x).toBeCloseTo(area.x, -1);
  expect(file.bounds?.y).toBeCloseTo(area.y, -1);
  for (const item of bar)
    expect(await on.sight({ kind: 'point', point: middleOf(item) })).toMatchObject({ element: { name: item.name } });
  await clickOn(file);
  const item = await described('menuitem', 'New');
  expect(await on.sight({ kind: 'point', point: middleOf(item) })).toMatchObject({ element: { name: 'New' } });
  await clickOn(item);
  await titled('Untitled 2');
  await app.end();
});

test('a GTK 4 app computes by clicks', async () => {
  const { app } = await on.rig.open('env', ['GDK_SCALE=2', 'gnome-calculator']);
  for (const name of ['7', '+', '8', '=']) await clickOn(await described('button', name));
  await on.rig.until('the result shows', async () =>
    (await on.hands.describe()).elements.some(({ value = '', name }) => `${value} ${name}`.includes('15')),
  );
  await app.end();
});

test('Chromium has its page and its own buttons where they are drawn', async () => {
  const page = join(on.folder, 'page.html');
  writeFileSync(
    page,
    `<title>First</title><button onclick="document.title='Pressed'">Press</button>
    <a href="#x" aria-label="Onward">Delete</a>`,
  );
  const { app } = await on.rig.open('chromium', [
    ...['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'],
    ...['--force-device-scale-factor=2', `--user-data-dir=${on.folder}/profile`, `file://${page}`],
  ]);
  const press = await described('button', 'Press');
  expect(await on.sight({ kind: 'point', point: middleOf(press) })).toMatchObject({ element: { name: 'Press' } });
  const onward = await described('link', 'Onward');
  expect(await on.sight({ kind: 'element', elementId: onward.id })).toMatchObject({ others: ['Delete'] });
  await clickOn(press);
  await titled('Pressed');
  const reload = await described('button', 'Reload');
  expect(await on.sight({ kind: 'point', point: middleOf(reload) })).toMatchObject({ element: { name: 'Reload' } });
  await clickOn(reload);
  await titled('First');
  await app.end();
});
