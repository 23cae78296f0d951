import { expect, test } from 'vitest';
import { elementId, refOfElement } from '../../../agent/drivers/macos/input/ask-elements.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { Target } from '../../../src/contract/targets.ts';
import { withinElement } from './fake-hands.ts';
import type { FakeElement } from './fake-mac.ts';
import { application, PASSWORD } from './office.ts';
import { commandsOf, createMacRig, done, type MacRig, unhurried } from './rig.ts';

const REFUSED = { ok: false, delivered: 'no', safeToRepeat: true, sideEffect: 'none' };
const GONE = { ...REFUSED, code: 'target_gone' };
const WHOLE = { x: 100, y: 80, width: 600, height: 400 };

/** The document window with more in it, and the ids that a description gives. */
async function withElements(rig: MacRig, more: readonly FakeElement[]) {
  const window = windowOf(rig, 'notes.txt');
  window.element?.children?.push(...more);
  const { elements } = done(await rig.driver.describeScreen({ contents: true, maxElements: 500 }, unhurried)).data;
  const idOf = (name: string) => {
    const found = elements.find((element) => element.name === name);
    if (found === undefined) throw new Error(`no element is called ${name}`);
    return found.id;
  };
  return { window, elements, idOf };
}

function windowOf({ mac }: MacRig, title: string) {
  const window = mac.windows.find((one) => one.title === title);
  if (window === undefined) throw new Error(`no window is called ${title}`);
  return window;
}

const checkBox = (): FakeElement => ({
  role: 'AXCheckBox',
  title: 'Wrap lines',
  value: 0,
  bounds: { x: 110, y: 450, width: 80, height: 20 },
  actions: ['AXPress', 'Name:Explain this\nTarget:0x0\nSelector:(null)'],
});

test.each(['', 'ax-1-m-0-', 'ax-1-x-0-k', 'e12', 'ax-1-w1-../..-k', `ax-1-m-${'0.'.repeat(5_000)}-k`])(
  'a text that is no id names no element (%#)',
  async (id) => {
    expect(refOfElement(id)).toBeNull();
    const rig = createMacRig();
    expect(await rig.input.setValue({ elementId: id, value: 'a' }, unhurried)).toMatchObject(GONE);
    expect(await rig.input.sight({ kind: 'element', elementId: id }, unhurried)).toMatchObject({ code: 'target_gone' });
  },
);

test('an id leads to the same element again', () => {
  const ref = { pid: 501, root: 'w42', steps: ['0', 'r3', 'h', '35', '36', 'v1200'], print: 'k3f' };
  expect(elementId(ref)).toBe('ax-501-w42-0R3Hz_10.V_xc.-k3f');
  expect(refOfElement(elementId(ref))).toEqual(ref);
  const deep = { pid: 99_999, root: 'w123456', steps: Array.from({ length: 90 }, () => '3'), print: '1z141z3' };
  expect(elementId(deep).length).toBeLessThanOrEqual(128);
});

test('every element of a description is found again by its id, with its role, name and place', async () => {
  const rig = createMacRig();
  const { elements } = await withElements(rig, [checkBox()]);
  expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length);
  for (const { id, role, bounds } of elements) {
    const sighted = await rig.input.sight({ kind: 'element', elementId: id }, unhurried);
    expect(sighted).toMatchObject({ ok: true, data: { element: { role, bounds } } });
  }
});

test('presses an element by its id, and any action that is told of it', async () => {
  const rig = createMacRig();
  const box = checkBox();
  const { idOf } = await withElements(rig, [box]);
  const id = idOf('Wrap lines');
  expect(await rig.input.actOnElement({ elementId: id }, unhurried)).toMatchObject({ ok: true, effect: 'confirmed' });
  expect(box.value).toBe(1);
  const unknown = await rig.input.actOnElement({ elementId: id, action: 'pick' }, unhurried);
  expect(unknown).toMatchObject({
    ...REFUSED,
    code: 'invalid_target',
    message: expect.stringContaining('explain this'),
  });
});

test.each<[string, (box: FakeElement, rig: MacRig) => void]>([
  ['is called otherwise by now', (box) => Object.assign(box, { title: 'Delete all lines' })],
  ['is of another role by now', (box) => Object.assign(box, { role: 'AXButton' })],
  [
    'is in a window that was closed',
    ({ title }, { mac }) => {
      mac.windows = mac.windows.filter(({ element }) => element?.children?.every((one) => one.title !== title));
    },
  ],
])('an element that %s is gone, and nothing is pressed', async (_title, change) => {
  const rig = createMacRig();
  const box = checkBox();
  const { idOf } = await withElements(rig, [box]);
  change(box, rig);
  expect(await rig.input.actOnElement({ elementId: idOf('Wrap lines') }, unhurried)).toMatchObject(GONE);
  expect(box.value).toBe(0);
});

test('sets a text and a number, and reads them back', async () => {
  const rig = createMacRig();
  const slider: FakeElement = { role: 'AXSlider', title: 'Zoom', value: 1, bounds: WHOLE };
  const field: FakeElement = { role: 'AXTextField', title: 'Find', value: '', bounds: WHOLE };
  const { idOf } = await withElements(rig, [slider, field]);
  const set = (name: string, value: string) => rig.input.setValue({ elementId: idOf(name), value }, unhurried);
  const isSet = { ok: true, effect: 'confirmed', safeToRepeat: true };
  expect(await set('Find', 'Grüße 日本')).toMatchObject(isSet);
  expect(await set('Zoom', '2.5')).toMatchObject(isSet);
  expect([field.value, slider.value]).toEqual(['Grüße 日本', 2.5]);
  expect(await set('Zoom', 'large')).toMatchObject({ ...REFUSED, code: 'not_supported' });
});

test('a password field and an element that is switched off are left alone', async () => {
  const rig = createMacRig();
  const secret: FakeElement = {
    role: 'AXTextField',
    subrole: 'AXSecureTextField',
    title: 'Pass',
    value: '',
    bounds: WHOLE,
  };
  const off: FakeElement = { role: 'AXTextField', title: 'Off', value: '', enabled: false, bounds: WHOLE };
  const { idOf } = await withElements(rig, [secret, off]);
  const set = (name: string) => rig.input.setValue({ elementId: idOf(name), value: 'x' }, unhurried);
  expect(await set('Pass')).toMatchObject({ ...REFUSED, code: 'invalid_target' });
  expect(await set('Off')).toMatchObject({ ...REFUSED, code: 'invalid_target' });
  expect([secret.value, off.value]).toEqual(['', '']);
});

test('sees the element at a point and the one with the keyboard, as a description tells them', async () => {
  const rig = createMacRig();
  const { idOf, elements, window } = await withElements(rig, [checkBox()]);
  const focused = elements.find((element) => element.focused);
  const app = { appName: 'TextEdit', bundleId: 'com.apple.TextEdit' };
  const common = { app, windowBounds: WHOLE, windowId: String(window.id), windowTitle: 'notes.txt' };
  expect(await rig.input.sight({ kind: 'point', point: { x: 115, y: 455 } }, unhurried)).toMatchObject({
    ok: true,
    data: { ...common, element: { elementId: idOf('Wrap lines'), role: 'checkbox', name: 'Wrap lines' } },
  });
  expect(await rig.input.sight({ kind: 'focus' }, unhurried)).toMatchObject({
    ok: true,
    data: { ...common, element: { elementId: focused?.id, role: 'textbox', isEditable: true, isPassword: false } },
  });
});

test('a point in a window in front is never that of an element behind it', async () => {
  const rig = createMacRig();
  const [front] = rig.mac.windows;
  if (front === undefined) throw new Error('the office has windows');
  rig.mac.windows.unshift({ ...front, id: 900, pid: 77, title: 'Overlay', element: null });
  const sighted = await rig.input.sight({ kind: 'point', point: { x: 115, y: 455 } }, unhurried);
  const overlay = { app: { appName: 'unknown' }, pid: 77, windowId: '900', windowTitle: 'Overlay', element: null };
  expect(sighted).toMatchObject({ ok: true, data: overlay });
});

test('a click through a window in front is judged as neither, as it is not known which one it reaches', async () => {
  const rig = createMacRig();
  const [front] = rig.mac.windows;
  if (front === undefined) throw new Error('the office has windows');
  rig.mac.windows.unshift({ ...front, id: 900, pid: 77, title: 'Overlay', element: null, letsClicksThrough: true });
  const sighted = await rig.input.sight({ kind: 'point', point: { x: 115, y: 455 } }, unhurried);
  expect(sighted).toMatchObject({ ok: false, code: 'invalid_target', sideEffect: 'none' });
});

test('what lies above all windows counts only where it has an element', async () => {
  const rig = createMacRig();
  const { idOf } = await withElements(rig, [checkBox()]);
  rig.textEditProcess.menuBar = menuBar({ onPress: () => undefined });
  const dock = application('/System/Library/CoreServices/Dock.app', 'com.apple.dock', { launch: { frontmost: false } });
  const { pid } = rig.mac.launch(dock);
  const item: FakeElement = { role: 'AXDockItem', title: 'Trash', bounds: { x: 700, y: 930, width: 50, height: 50 } };
  const screen = { x: 0, y: 0, width: 1512, height: 982 };
  const list: FakeElement = {
    role: 'AXList',
    bounds: { ...item.bounds, x: 400, width: 400 } as Bounds,
    children: [item],
  };
  rig.mac.processes.find((process) => process.pid === pid)?.contextMenus.push(list);
  const bar = { ...screen, height: 24 };
  rig.mac.windows.unshift({ id: 2, pid, title: 'Dock', bounds: screen, layer: 20, element: null });
  rig.mac.windows.unshift({ id: 3, pid: 1, title: 'Menubar', bounds: bar, layer: 24, element: null });
  rig.mac.windows.unshift({ id: 4, pid: 1, title: 'Cursor', bounds: screen, layer: 2_147_483_630, element: null });
  const at = async (x: number, y: number) => {
    const sighted = await rig.input.sight({ kind: 'point', point: { x, y } }, unhurried);
    return sighted.ok ? [sighted.data.app.appName, sighted.data.element?.name] : sighted.code;
  };
  expect(await at(115, 455)).toEqual(['TextEdit', 'Wrap lines']);
  expect(await at(710, 940)).toEqual(['Dock', 'Trash']);
  expect(await at(10, 10)).toEqual(['TextEdit', 'File']);
  expect(await at(1_500, 900)).toBe('target_gone');
  expect(idOf('Wrap lines')).toMatch(/^ax-/);
});

test('tells the pages around an element, and beside what has the keyboard the other pages and the default button', async () => {
  const rig = createMacRig();
  const link: FakeElement = { role: 'AXLink', title: 'More', bounds: { x: 120, y: 130, width: 40, height: 20 } };
  const inner: FakeElement = { role: 'AXWebArea', url: 'http://127.0.0.1:4319/', bounds: WHOLE, children: [link] };
  const page: FakeElement = { role: 'AXWebArea', url: 'https://example.org/', bounds: WHOLE, children: [inner] };
  const address: FakeElement = { role: 'AXTextField', title: 'Address', value: '', bounds: WHOLE };
  const { idOf, window } = await withElements(rig, [page, address]);
  const go: FakeElement = { role: 'AXButton', title: 'Send', bounds: WHOLE };
  Object.assign(window.element ?? {}, { defaultButton: go });
  const pages = ['https://example.org/', 'http://127.0.0.1:4319/'];
  const see = (name: string) => rig.input.sight({ kind: 'element', elementId: idOf(name) }, unhurried);
  expect(await see('More')).toMatchObject({ data: { documents: pages.toReversed(), pagesBeside: [] } });
  expect(await see('Address')).toMatchObject({ data: { documents: [], pagesBeside: pages, defaultButton: 'Send' } });
});

test('an element behind another window is covered', async () => {
  const rig = createMacRig();
  const { idOf } = await withElements(rig, [checkBox()]);
  const see = () => rig.input.sight({ kind: 'element', elementId: idOf('Wrap lines') }, unhurried);
  expect(await see()).toMatchObject({ data: { isCovered: false } });
  rig.mac.activate(windowOf(rig, 'Sign in').pid);
  windowOf(rig, 'Sign in').bounds = WHOLE;
  expect(await see()).toMatchObject({ data: { isCovered: true } });
});

test('N40: an element behind an open menu is covered, and an item of the menu is not', async () => {
  const rig = createMacRig();
  const place = { x: 100, y: 440, width: 200, height: 40 };
  const item: FakeElement = { role: 'AXMenuItem', title: 'Paste', bounds: place };
  const menu: FakeElement = { role: 'AXMenu', bounds: place, children: [item] };
  const opener: FakeElement = { role: 'AXGroup', title: 'More', bounds: { ...place, y: 420, height: 20 } };
  const { idOf } = await withElements(rig, [checkBox(), { ...opener, children: [menu] }]);
  const { pid } = windowOf(rig, 'notes.txt');
  rig.mac.windows.unshift({ id: 901, pid, title: '', bounds: place, layer: 101, element: null });
  const see = (name: string) => rig.input.sight({ kind: 'element', elementId: idOf(name) }, unhurried);
  expect(await see('Wrap lines')).toMatchObject({ data: { isCovered: true } });
  expect(await see('Paste')).toMatchObject({ data: { isCovered: false } });
});

test('N41: a frame in front of a control of a page is told with its document', async () => {
  const rig = createMacRig();
  const button: FakeElement = { role: 'AXButton', title: 'Plain', bounds: { x: 120, y: 130, width: 40, height: 20 } };
  const more: FakeElement = { role: 'AXLink', title: 'More', bounds: { x: 120, y: 230, width: 40, height: 20 } };
  const over = { x: 100, y: 120, width: 200, height: 60 };
  const frame: FakeElement = { role: 'AXWebArea', url: 'https://other.example/', bounds: over };
  const page = { role: 'AXWebArea', url: 'https://example.org/', bounds: WHOLE, children: [button, more, frame] };
  const { idOf } = await withElements(rig, [page]);
  const see = (name: string) => rig.input.sight({ kind: 'element', elementId: idOf(name) }, unhurried);
  const documents = ['https://other.example/', 'https://example.org/'];
  expect(await see('Plain')).toMatchObject({ data: { isCovered: false, documents } });
  expect(await see('More')).toMatchObject({ data: { isCovered: false, documents: ['https://example.org/'] } });
});

test('N37: a menu that is open is told with what has the keyboard', async () => {
  const rig = createMacRig();
  const { pid } = windowOf(rig, 'Sign in');
  const see = () => rig.input.sight({ kind: 'focus' }, unhurried);
  expect(await see()).toMatchObject({ data: { isMenuOpen: false } });
  rig.mac.windows.unshift({ id: 901, pid, title: '', bounds: WHOLE, layer: 101, element: null });
  expect(await see()).toMatchObject({ data: { isMenuOpen: true } });
});

test('a password is told by no sight', async () => {
  const rig = createMacRig();
  const secret: FakeElement = { role: 'AXTextField', subrole: 'AXSecureTextField', value: PASSWORD, focused: true };
  const { window } = await withElements(rig, [secret]);
  for (const one of window.element === null ? [] : withinElement(window.element)) one.focused = one === secret;
  const sighted = await rig.input.sight({ kind: 'focus' }, unhurried);
  expect(sighted).toMatchObject({ ok: true, data: { element: { isPassword: true } } });
  await rig.input.pressKeys({ keys: 'f5' }, unhurried);
  expect(JSON.stringify([sighted, rig.programs.answers])).not.toContain(PASSWORD);
});

test('chooses an item of a menu that was never opened', async () => {
  const rig = createMacRig();
  let chosen = 0;
  rig.textEditProcess.menuBar = menuBar({ onPress: () => chosen++ });
  const windowId = String(windowOf(rig, 'notes.txt').id);
  const choose = (path: readonly string[]) => rig.input.invokeMenu({ windowId, path }, unhurried);
  expect(await choose(['File', 'save as...'])).toMatchObject({ ok: true, delivered: 'yes' });
  expect(chosen).toBe(1);
  expect(await choose(['File', 'Save Ass'])).toMatchObject({ ...GONE, fix: 'Near names: Save As….' });
  expect(await choose(['File', 'Revert'])).toMatchObject({ ...REFUSED, code: 'invalid_target' });
  expect(await choose([])).toMatchObject({ ...REFUSED, code: 'invalid_target' });
  expect(chosen).toBe(1);
});

test('the menu of a window behind is chosen only after that window is in front', async () => {
  const rig = createMacRig();
  rig.textEditProcess.menuBar = menuBar({ onPress: () => undefined });
  const window = windowOf(rig, 'notes.txt');
  rig.mac.activate(windowOf(rig, 'Sign in').pid);
  await rig.input.invokeMenu({ windowId: String(window.id), path: ['File', 'Save As…'] }, unhurried);
  expect(rig.mac.frontmostPid).toBe(window.pid);
});

test('of two windows of one place and title none is closed, as it is not known which one is meant', async () => {
  const rig = createMacRig();
  const window = windowOf(rig, 'notes.txt');
  rig.mac.windows.push({ ...window, id: 901, element: structuredClone(window.element) });
  const outcome = await rig.input.closeWindow({ windowId: '901' }, unhurried);
  expect(outcome).toMatchObject({ ...REFUSED, code: 'invalid_target' });
  expect(rig.mac.windows).toHaveLength(3);
});

test('an app that hangs is asked once, and the answer says so', async () => {
  const rig = createMacRig();
  const window = windowOf(rig, 'notes.txt');
  rig.textEditProcess.hung = true;
  expect(await rig.input.closeWindow({ windowId: String(window.id) }, unhurried)).toMatchObject({
    ...REFUSED,
    code: 'busy',
  });
});

test('where an app takes a press and does not answer, it is not known whether it did it', async () => {
  const rig = createMacRig();
  const box: FakeElement = { ...checkBox(), onPress: () => Object.assign(rig.textEditProcess, { hung: true }) };
  const { idOf } = await withElements(rig, [box]);
  const id = idOf('Wrap lines');
  expect(await rig.input.actOnElement({ elementId: id }, unhurried)).toMatchObject({
    ok: false,
    delivered: 'unknown',
    safeToRepeat: false,
  });
});

test.each([-25_200, -25_205, -25_206])(
  'after the error %d an app may have done what it was asked',
  async (pressError) => {
    const rig = createMacRig();
    const box: FakeElement = { ...checkBox(), pressError };
    const { idOf } = await withElements(rig, [box]);
    const outcome = await rig.input.actOnElement({ elementId: idOf('Wrap lines') }, unhurried);
    expect(outcome).toMatchObject({ ok: false, delivered: 'unknown', safeToRepeat: false });
    expect(box.value).toBe(1);
  },
);

const ADDRESS = 'https://example.org/a?b=c';

test('an address is opened as one argument with the app that is set for it, and proven by the window that shows it', async () => {
  const rig = createMacRig();
  const app = await rig.input.opener({ scheme: 'https' }, unhurried);
  expect(app).toMatchObject({ appName: 'Google Chrome', bundleId: 'com.google.Chrome', risks: [] });
  expect(app).toEqual(done(await rig.driver.resolveApp({ appName: 'Google Chrome' }, unhurried)).data);
  const judged = { ...unhurried, targets: [{ kind: 'opener', scheme: 'https', app }] as Target[] };
  const outcome = await rig.input.openUrl({ url: ADDRESS }, judged);
  expect(outcome).toMatchObject({ ok: true, effect: 'confirmed' });
  expect(commandsOf(rig.programs, '/usr/bin/open')).toEqual([`-a /Applications/Google Chrome.app ${ADDRESS}`]);
});

test('N18: an address is not opened once another app is set for it', async () => {
  const rig = createMacRig();
  const app = await rig.input.opener({ scheme: 'https' }, unhurried);
  const judged = { ...unhurried, targets: [{ kind: 'opener', scheme: 'https', app }] as Target[] };
  rig.mac.opensAddresses = '/System/Applications/Notes.app';
  expect(await rig.input.openUrl({ url: ADDRESS }, judged)).toMatchObject({ ...REFUSED, code: 'target_changed' });
  rig.mac.opensAddresses = null;
  expect(await rig.input.openUrl({ url: ADDRESS }, judged)).toMatchObject({ ...REFUSED, code: 'target_changed' });
  expect(commandsOf(rig.programs, '/usr/bin/open')).toEqual([]);
});

test('an app that macOS names and that is no installed one is told by its file', async () => {
  const rig = createMacRig();
  rig.mac.opensAddresses = '/Volumes/Stick/Surf.app';
  expect(await rig.input.opener({ scheme: 'http' }, unhurried)).toMatchObject({
    appName: 'Surf',
    alsoKnownAs: ['Surf', 'Surf'],
  });
});

test('a mail address goes to the app that macOS chooses', async () => {
  const rig = createMacRig();
  expect(await rig.input.openUrl({ url: 'mailto:ann@example.org' }, unhurried)).toMatchObject({ ok: true });
  expect(commandsOf(rig.programs, '/usr/bin/open')).toEqual(['mailto:ann@example.org']);
});

test('a clipboard that its app marks as secret is not read, and one without a text neither', async () => {
  const rig = createMacRig();
  const { clipboard } = rig.mac.hands;
  expect(await rig.input.readClipboard(unhurried)).toMatchObject({ ok: true, data: { text: '' } });
  Object.assign(clipboard, { types: ['public.png'], text: null });
  expect(await rig.input.readClipboard(unhurried)).toMatchObject({ ...REFUSED, code: 'not_supported' });
  Object.assign(clipboard, { types: ['public.utf8-plain-text', 'org.nspasteboard.ConcealedType'], text: PASSWORD });
  const concealed = await rig.input.readClipboard(unhurried);
  expect(concealed).toMatchObject({ ...REFUSED, code: 'not_supported' });
  expect(JSON.stringify([concealed, rig.programs.answers])).not.toContain(PASSWORD);
});

test('a text that is too long for an argument is not written', async () => {
  const rig = createMacRig();
  const outcome = await rig.input.writeClipboard({ text: 'é'.repeat(100_001) }, unhurried);
  expect(outcome).toMatchObject({ ...REFUSED, code: 'too_large' });
  expect(rig.programs.started).toEqual([]);
});

test('on a locked screen the clipboard is neither read nor written', async () => {
  const rig = createMacRig();
  Object.assign(rig.mac, { session: { onConsole: true, locked: true } });
  const refusal = { ...REFUSED, code: 'display_unavailable' };
  expect(await rig.input.readClipboard(unhurried)).toMatchObject(refusal);
  expect(await rig.input.writeClipboard({ text: 'a' }, unhurried)).toMatchObject(refusal);
  expect(rig.mac.hands.clipboard.text).toBeNull();
});

test('the clipboard is written when the input before it has ended, and without Accessibility', async () => {
  const rig = createMacRig();
  const order: string[] = [];
  const lastLook = (name: string) => async () => {
    order.push(name);
    return null;
  };
  const typing = rig.input.typeText({ text: 'x' }, { ...unhurried, lastLook: lastLook('type') });
  const copying = rig.input.writeClipboard({ text: 'a' }, { ...unhurried, lastLook: lastLook('copy') });
  const typed = typing.then(() => order.push('typed'));
  expect(await copying).toMatchObject({ ok: true, effect: 'confirmed' });
  await typed;
  expect(order.indexOf('typed')).toBeLessThan(order.indexOf('copy'));
  rig.mac.grants.accessibility = false;
  expect(await rig.input.readClipboard(unhurried)).toMatchObject({ ok: true, data: { text: 'a' } });
});

function menuBar({ onPress }: { onPress: () => void }): FakeElement {
  const items: FakeElement[] = [
    { role: 'AXMenuItem', title: 'Save As…', actions: ['AXPress'], onPress },
    { role: 'AXMenuItem', title: 'Revert', actions: ['AXPress'], enabled: false, onPress },
  ];
  const bounds = { x: 0, y: 0, width: 50, height: 24 };
  const file: FakeElement = {
    role: 'AXMenuBarItem',
    title: 'File',
    bounds,
    children: [{ role: 'AXMenu', children: items }],
  };
  return { role: 'AXMenuBar', bounds: { ...bounds, width: 1512 }, children: [file] };
}
