import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Beyond } from '../../agent/drivers/looks/list-marks.ts';
import { createRefs } from '../../agent/screen-text/refs.ts';
import { createScreenTexts } from '../../agent/screen-text/screen-texts.ts';
import { openPatientEyes } from './patient-eyes.ts';
import { shareRig } from './share-rig.ts';

const rig = await shareRig({ width: 1280, height: 800 });
const eyes = openPatientEyes(rig);
const folder = mkdtempSync(join(tmpdir(), 'handrail-list-'));

afterAll(async () => {
  await eyes.close();
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a table that goes on below says how many rows, and the description is not complete', async () => {
  const page = join(folder, 'page.html');
  const rows = Array.from({ length: 100 }, (_, index) => `<tr><td>Order ${index + 1}<td>Customer ${index + 1}`);
  writeFileSync(page, `<title>Orders</title><table>${rows.join('')}</table>`);
  const { app } = await rig.open('chromium', [
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    '--window-size=900,600',
    `--user-data-dir=${folder}/profile`,
    `file://${page}`,
  ]);
  onTestFinished(() => app.end());
  const screen = await rig.until('the table is told', async () => {
    const seen = await eyes.describe();
    return seen.elements.some(({ name }) => name === 'Order 1') && seen;
  });
  const shown = screen.elements.filter(({ role, name }) => role === 'cell' && name.startsWith('Order ')).length;
  expect(shown).toBeLessThan(100);
  expect(screen.complete).toBe(false);
  expect(screen.degradedReasons.map(({ code }) => code)).toContain('list_goes_on');
  const [table] = screen.elements.filter(({ beyond }) => beyond !== undefined);
  expect(table).toMatchObject({ role: 'table', beyond: { above: 0, below: 100 - shown } });
  const outlined = createScreenTexts()(screen, {}, createRefs());
  expect(outlined.ok && outlined.data.text).toContain(`[${100 - shown} more below]`);
});

test('of a table of 300 rows those in view are told, and how many are above and below, wherever it is scrolled to', async () => {
  const orders = Array.from({ length: 300 }, (_, index) => [`Order ${index + 1}`, `Customer ${index + 1}`]);
  const { app } = await rig.open('zenity', [
    ...['--list', '--title=Orders of the year', '--width=500', '--height=400', '--column=Order', '--column=Customer'],
    ...orders.flat(),
  ]);
  onTestFinished(() => app.end());
  await rig.until('it is in front', async () => (await rig.activeWindow())?.pid === app.pid);
  const top = await tableWhere('its first row is told, and it has the keyboard', (table) => {
    return table.rows[0] === 1 && table.hasKeyboard;
  });
  await rig.ask('xdotool', 'key', 'End');
  const bottom = await tableWhere('its last row is told', ({ rows }) => rows.at(-1) === 300);
  await rig.ask('xdotool', 'key', ...Array.from({ length: 10 }, () => 'Page_Up'));
  const middle = await tableWhere('rows in the middle are told', ({ rows }) => Number(rows[0]) < 200);

  for (const { rows, columns, beyond } of [top, bottom, middle]) {
    const first = Number(rows[0]);
    expect(rows).toEqual(rows.map((_, index) => first + index));
    expect(columns).toEqual(['Order', 'Customer']);
    expect(beyond).toEqual({ above: first - 1, below: 300 - Number(rows.at(-1)) });
  }
});

type SeenTable = { rows: number[]; columns: string[]; beyond: Beyond | undefined; hasKeyboard: boolean };

/** The table of orders once it is as expected and has come to rest: two descriptions in a row tell the same of it. */
function tableWhere(what: string, isSo: (table: SeenTable) => boolean): Promise<SeenTable> {
  let before: SeenTable | undefined;
  return rig.until(what, async () => {
    const { elements } = await eyes.describe();
    const named = (role: string) => elements.filter((element) => element.role === role).map(({ name }) => name);
    const rows = named('cell').flatMap((name) => (name.startsWith('Order ') ? [Number(name.slice(6))] : []));
    const table = elements.find(({ id }) => elements.some(({ role, parentId }) => role === 'cell' && parentId === id));
    const seen = { rows, columns: named('columnheader'), beyond: table?.beyond, hasKeyboard: table?.focused === true };
    const isAtRest = isDeepStrictEqual(seen, before);
    before = seen;
    return isAtRest && isSo(seen) && seen;
  });
}
