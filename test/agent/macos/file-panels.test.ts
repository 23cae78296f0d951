import { expect, test } from 'vitest';
import type { Bounds } from '../../../src/contract/device.ts';
import type { FakeElement } from './fake-mac.ts';
import { application } from './office.ts';
import { createMacRig, done, type MacRig, unhurried } from './rig.ts';

const BOUNDS: Bounds = { x: 150, y: 120, width: 400, height: 300 };
const at = (y: number): Bounds => ({ x: 160, y, width: 100, height: 20 });

function panel(identifier: string): FakeElement {
  const name = (title: string, y: number): FakeElement => ({ role: 'AXTextField', title, bounds: at(y) });
  const row = (title: string, y: number, selected: boolean): FakeElement => ({
    role: 'AXRow',
    subrole: 'AXOutlineRow',
    bounds: at(y),
    selected,
    children: [{ role: 'AXCell', bounds: at(y), children: [name(title, y)] }],
  });
  const eject: FakeElement = { role: 'AXButton', title: 'Eject', bounds: at(175) };
  const rows = [row('a.txt', 130, true), row('b.txt', 160, false)];
  rows.push({ role: 'AXRow', bounds: at(175), selected: false, children: [eject] });
  const columns: FakeElement = { role: 'AXBrowser', bounds: at(190), children: [name('c.txt', 190)] };
  const list: FakeElement = { role: 'AXOutline', bounds: { ...BOUNDS, height: 60 }, children: rows };
  const children = [list, columns, name('Save As', 230), { role: 'AXButton', title: 'Accept', bounds: at(260) }];
  return { role: 'AXSheet', identifier, bounds: BOUNDS, children };
}

async function inPanel(rig: MacRig, sheet: FakeElement) {
  rig.mac.windows.find(({ title }) => title === 'notes.txt')?.element?.children?.push(sheet);
  const { elements } = done(await rig.driver.describeScreen({ contents: true, maxElements: 500 }, unhurried)).data;
  return async (name: string) => {
    const id = elements.find((element) => element.name === name)?.id ?? '';
    const sighted = await rig.input.sight({ kind: 'element', elementId: id }, unhurried);
    return sighted.ok ? sighted.data.dialog : sighted.code;
  };
}

test.each([
  ['open-panel', 'open'],
  ['save-panel', 'save'],
])('N32: a control in a panel with the identifier %s tells it, and no file', async (identifier, kind) => {
  const dialogAt = await inPanel(createMacRig(), panel(identifier));
  expect(await dialogAt('Accept')).toEqual({ kind, part: 'other' });
  expect(await dialogAt('Save As')).toEqual({ kind, part: 'aside' });
  expect(await dialogAt('a.txt')).toEqual({ kind, part: 'chosen' });
  expect(await dialogAt('b.txt')).toEqual({ kind, part: 'row' });
  expect(await dialogAt('c.txt')).toEqual({ kind, part: 'chosen' });
});

test('N46: a button in a row of a panel is no row', async () => {
  const dialogAt = await inPanel(createMacRig(), panel('save-panel'));
  expect(await dialogAt('Eject')).toEqual({ kind: 'save', part: 'other' });
});

test('another sheet is no dialog for files', async () => {
  const dialogAt = await inPanel(createMacRig(), panel('print-panel'));
  expect(await dialogAt('Accept')).toBeUndefined();
});

test('N32: a window of the process that shows the panels of other apps is one, also where it tells nothing', async () => {
  const rig = createMacRig();
  const service = application('/System/Library/Panels.app', 'com.apple.appkit.xpc.openAndSavePanelService');
  const { pid } = rig.mac.launch(service);
  rig.mac.windows.unshift({ id: 900, pid, title: 'Open', bounds: BOUNDS, layer: 0, element: null });
  const sighted = await rig.input.sight({ kind: 'point', point: { x: 200, y: 200 } }, unhurried);
  expect(sighted).toMatchObject({ ok: true, data: { element: null, dialog: { kind: 'unknown', part: 'other' } } });
});
