import { expect, test } from 'vitest';
import type { FakeElement } from './fake-mac.ts';
import { application } from './office.ts';
import { createMacRig, done, unhurried } from './rig.ts';

type Asked = { contents?: boolean; maxElements?: number };

/** How the first list of a window is told. */
async function told(list: FakeElement, asked: Asked = { contents: true }) {
  const rig = createMacRig();
  const bounds = { x: 50, y: 50, width: 400, height: 300 };
  const window = { title: 'Mail', bounds, element: { role: 'AXWindow', title: 'Mail', bounds, children: [list] } };
  rig.mac.quit(rig.textEditProcess.pid);
  const app = application('/Applications/Mail.app', 'org.example.mail', { window });
  rig.mac.installed.push(app);
  rig.mac.launch(app);
  const { data } = done(await rig.driver.describeScreen(asked, unhurried));
  const { beyond } = data.elements.find(({ role }) => role === 'table' || role === 'list') ?? {};
  const names = data.elements.flatMap(({ name }) => (name.startsWith('Row') ? [name] : []));
  return { beyond, names, codes: data.degradedReasons.map(({ code }) => code) };
}

const row = (index: number, more: Partial<FakeElement> = {}): FakeElement => ({
  role: 'AXRow',
  children: [{ role: 'AXCell', children: [{ role: 'AXStaticText', value: `Row ${index}` }] }],
  ...more,
});
const rows = Array.from({ length: 10 }, (_, index) => row(index, { index }));
const table = (more: Partial<FakeElement> = {}): FakeElement => ({
  role: 'AXTable',
  header: { role: 'AXGroup', children: [{ role: 'AXButton', subrole: 'AXSortButton', title: 'From' }] },
  children: rows,
  ...more,
});

test('a table says how many rows are above and below those in view, and the description is not complete', async () => {
  expect(await told(table({ visibleRows: rows.slice(3, 6) }))).toEqual({
    beyond: { above: 3, below: 4 },
    names: ['Row 3', 'Row 4', 'Row 5'],
    codes: ['list_goes_on'],
  });
});

test('rows count as below where the app does not say where they stand', async () => {
  const placeless = rows.map((_, index) => row(index));
  const { beyond } = await told(table({ children: placeless, visibleRows: placeless.slice(3, 6) }));
  expect(beyond).toEqual({ above: 0, below: 7 });
});

test('a table that is in view from its first row to its last is complete', async () => {
  expect(await told(table({ visibleRows: rows }))).toMatchObject({ beyond: undefined, codes: [] });
});

test('without contents no row is told or counted', async () => {
  const { beyond, names, codes } = await told(table({ visibleRows: rows.slice(3, 6) }), {});
  expect({ beyond, names, codes }).toEqual({ beyond: undefined, names: [], codes: ['contents_left_out'] });
});

test('entries that are scrolled out of the window are counted on their side', async () => {
  const at = (y: number) => ({ bounds: { x: 60, y, width: 100, height: 20 } });
  const entries = [-40, -20, 60, 80, 900].map((y, index) => ({
    role: 'AXStaticText',
    value: `Row ${index}`,
    ...at(y),
  }));
  const { beyond, names } = await told({ role: 'AXList', children: entries });
  expect({ beyond, names }).toEqual({ beyond: { above: 2, below: 1 }, names: ['Row 2', 'Row 3'] });
});

test('of a list with a shorter one of those in view the others are counted', async () => {
  const entries = rows.map((_, index) => ({ role: 'AXStaticText', value: `Row ${index}` }));
  const { beyond } = await told({ role: 'AXList', children: entries, visibleChildren: entries.slice(0, 4) });
  expect(beyond).toEqual({ above: 0, below: 6 });
});

test('entries that are cut off by the number of elements asked for are counted as below', async () => {
  const entries = rows.map((_, index) => ({ role: 'AXStaticText', value: `Row ${index}` }));
  const asked = { contents: true, maxElements: 5 };
  const { beyond, names, codes } = await told({ role: 'AXList', children: entries }, asked);
  expect(names.length).toBeGreaterThan(0);
  expect(beyond).toEqual({ above: 0, below: 10 - names.length });
  expect(codes).toContain('elements_cut');
});
