import { expect, onTestFinished, test } from 'vitest';
import { noteOwnAddress } from '../../../agent/targets/own-pages.ts';
import type { ScreenDescription } from '../../../src/contract/screen.ts';
import type { FakeApp, FakeElement } from './fake-mac.ts';
import { fails } from './fake-programs.ts';
import { application, PASSWORD } from './office.ts';
import { commandsOf, createMacRig, done, type MacRig, unhurried } from './rig.ts';

const OSASCRIPT = '/usr/bin/osascript';

async function described({ driver }: MacRig, parameters: Parameters<typeof driver.describeScreen>[0] = {}) {
  return done(await driver.describeScreen(parameters, unhurried));
}

/** The elements as an indented list: role, name, and the value after a colon. */
function outline({ elements }: ScreenDescription): string[] {
  return elements.map(({ role, name, value, depth }) => {
    return `${'  '.repeat(depth)}${role}${name && ` ${name}`}${value === undefined ? '' : `: ${value}`}`;
  });
}

/** What is missing where. */
function marks({ windows, elements }: ScreenDescription) {
  const named = [
    ...windows.map(({ title, missing }) => [title, missing]),
    ...elements.map(({ name, role, missing }) => [name || role, missing]),
  ];
  return named.filter(([, missing]) => missing !== undefined);
}

function reasonCodes({ degradedReasons }: ScreenDescription): string[] {
  return degradedReasons.map((reason) => reason.code);
}

/** Puts one window of a new app in front, with these elements in it. */
function show(rig: MacRig, children: FakeElement[], more: { frameworks?: string[] } = {}) {
  const bounds = { x: 50, y: 50, width: 400, height: 300 };
  const element = { role: 'AXWindow', title: 'Trial', bounds, children };
  const app = application('/Applications/Trial.app', 'org.example.trial', {
    ...more,
    window: { title: 'Trial', bounds, element },
  });
  rig.mac.installed.push(app);
  rig.mac.windows = [];
  return rig.mac.launch(app);
}

test('without contents it tells windows and the labels of controls, and no document, value or list row', async () => {
  const { data, details } = await described(createMacRig());
  expect(outline(data)).toEqual([
    'menubar',
    '  menuitem File',
    '  menuitem Edit',
    '    menu',
    '      menuitem Undo',
    'window notes.txt',
    '  textbox document',
    '  button Close',
    '  table',
    '    button Name',
    'window Sign in',
    '  toolbar',
    '    textbox Address',
    '  document',
  ]);
  expect(data).toMatchObject({ complete: false, frontmostApp: 'TextEdit', text: [] });
  expect(reasonCodes(data)).toEqual(['contents_left_out']);
  expect(marks(data)).toEqual([
    ['document', 'contents_left_out'],
    ['table', 'contents_left_out'],
    ['Address', 'contents_left_out'],
    ['document', 'contents_left_out'],
  ]);
  expect(details).toBe(
    'TextEdit is in front with the window “notes.txt”. Behind it: Google Chrome with “Sign in”. 14 elements are described. ' +
      'This is not complete: Values, texts and documents are left out.',
  );
});

test('with contents it also tells documents, values, list rows in view and states, but not what menus hide', async () => {
  const { data } = await described(createMacRig(), { contents: true });
  expect(outline(data)).toEqual([
    'menubar',
    '  menuitem File',
    '  menuitem Edit',
    '    menu',
    '      menuitem Undo',
    'window notes.txt',
    '  textbox document: The quarterly numbers are confidential',
    '  button Close',
    '  table',
    '    button Name',
    '    row',
    '      cell',
    '        paragraph Alice 4,200',
    'window Sign in',
    '  toolbar',
    '    textbox Address: https://example.org/login',
    '  document Sign in to Example',
    '    heading Welcome back, Dana',
    '    textbox Password',
    '    checkbox Remember me: on',
    '    button Sign in',
    '    link Forgot it?',
  ]);
});

test('N49: nothing in a page of Handrail is told, and what is in another page is', async () => {
  const own = 'http://127.0.0.1:4319/';
  noteOwnAddress(own);
  onTestFinished(() => noteOwnAddress(''));
  const inside: FakeElement = { role: 'AXGroup', children: [{ role: 'AXStaticText', value: 'secret' }] };
  const pageAt = (url: string): FakeElement => ({ role: 'AXWebArea', title: 'Page', url, children: [inside] });
  const rig = createMacRig();
  show(rig, [{ role: 'AXButton', title: 'Reload' }, pageAt(own)]);
  const { data } = await described(rig, { contents: true });
  expect(outline(data)).toEqual(['window Trial', '  button Reload', '  document Page']);
  expect(marks(data)).toEqual([['Page', 'own_page']]);
  expect(data).toMatchObject({ complete: false });
  expect(JSON.stringify(data)).not.toContain('secret');
  show(rig, [pageAt('https://example.org/')]);
  expect(JSON.stringify((await described(rig, { contents: true })).data)).toContain('secret');
});

test('tells of an element where it is, what can be done with it, and which one has the keyboard', async () => {
  const rig = createMacRig();
  const { data } = await described(rig);
  const textbox = data.elements.find((element) => element.name === 'document');
  expect(textbox).toEqual({
    id: data.focusedElement,
    role: 'textbox',
    name: 'document',
    bounds: { x: 100, y: 120, width: 600, height: 360 },
    enabled: true,
    focused: true,
    actions: ['showMenu'],
    missing: 'contents_left_out',
    windowId: data.windows[0]?.id,
    parentId: data.elements.find((element) => element.name === 'notes.txt')?.id,
    depth: 1,
  });
});

test('a password is never asked for, however its field is marked', async () => {
  const rig = createMacRig();
  show(rig, [
    { role: 'AXTextField', subrole: 'AXSecureTextField', title: 'One', value: PASSWORD },
    { role: 'AXSecureTextField', title: 'Two', value: PASSWORD, children: [{ role: 'AXStaticText', value: PASSWORD }] },
  ]);
  const { data } = await described(rig, { contents: true });
  expect(outline(data)).toEqual(['window Trial', '  textbox One', '  textbox Two']);
});

test('the selection of a pop-up button counts as its value, even where an app gives it as the title', async () => {
  const rig = createMacRig();
  show(rig, [{ role: 'AXPopUpButton', title: 'Account: Dana', value: 'Account: Dana' }]);
  expect(outline((await described(rig)).data)).toEqual(['window Trial', '  combobox']);
  expect(outline((await described(rig, { contents: true })).data)).toContain('  combobox Account: Dana');
});

test('states are told in words', async () => {
  const rig = createMacRig();
  show(rig, [
    { role: 'AXCheckBox', title: 'Some', value: 2 },
    { role: 'AXCheckBox', subrole: 'AXSwitch', title: 'Wi-Fi', value: false },
    { role: 'AXRadioButton', subrole: 'AXTabButton', title: 'General', value: 1 },
    { role: 'AXRadioButton', subrole: 'AXTabButton', title: 'Other', value: 0 },
    { role: 'AXSlider', title: 'Volume', value: 0.5 },
  ]);
  expect(outline((await described(rig, { contents: true })).data).slice(1)).toEqual([
    '  checkbox Some: mixed',
    '  switch Wi-Fi: off',
    '  tab General: selected',
    '  tab Other',
    '  slider Volume: 0.5',
  ]);
});

test('what is scrolled out of its window is left out, an open menu beside it is not', async () => {
  const rig = createMacRig();
  const away = { x: 50, y: 900, width: 100, height: 20 };
  show(rig, [
    { role: 'AXButton', title: 'Far below', bounds: away },
    { role: 'AXMenu', bounds: away, children: [{ role: 'AXMenuItem', title: 'Paste', bounds: away }] },
  ]);
  expect(outline((await described(rig)).data)).toEqual(['window Trial', '  menu', '    menuitem Paste']);
});

test('a context menu belongs to the app in front', async () => {
  const rig = createMacRig();
  const bounds = { x: 60, y: 60, width: 100, height: 20 };
  rig.textEditProcess.contextMenus = [
    { role: 'AXMenu', bounds, children: [{ role: 'AXMenuItem', title: 'Look Up', bounds }] },
  ];
  expect(outline((await described(rig)).data)).toContain('  menuitem Look Up');
});

test('a sheet is part of its window in the tree and a window of its own on the screen', async () => {
  const rig = createMacRig();
  const sheet = { x: 100, y: 80, width: 200, height: 100 };
  const { pid } = show(rig, [
    { role: 'AXSheet', title: 'Save', bounds: sheet, children: [{ role: 'AXButton', title: 'Cancel' }] },
  ]);
  rig.mac.windows.unshift({ id: 77, pid, title: '', bounds: sheet, element: null });
  const { data } = await described(rig);
  expect(data.elements.map(({ role, windowId }) => `${role} ${windowId}`)).toEqual([
    expect.stringMatching(/^window (?!77)/),
    'dialog 77',
    'button 77',
  ]);
});

test('two windows of one place are told apart by their titles, and a window of another space is left out', async () => {
  const rig = createMacRig();
  const process = show(rig, []);
  const [first] = rig.mac.windows;
  if (first === undefined) throw new Error('a window was shown');
  const second = {
    ...first,
    id: 88,
    title: 'Second',
    element: { ...first.element, role: 'AXWindow', title: 'Second' },
  };
  rig.mac.windows = [first, second];
  const { data } = await described(rig);
  expect(data.elements.map(({ name, windowId }) => [name, windowId])).toEqual([
    ['Trial', String(first.id)],
    ['Second', '88'],
  ]);
  const elsewhere = {
    ...first,
    element: { role: 'AXWindow', title: 'Elsewhere', bounds: { x: 9, y: 9, width: 9, height: 9 } },
  };
  rig.mac.windows = [{ ...elsewhere, pid: process.pid }, second];
  expect(outline((await described(rig)).data)).toEqual(['window Second']);
});

const ELECTRON: Partial<FakeApp> = { frameworks: ['Electron Framework'], buildsTree: 'never' };

test.each<[string, Partial<FakeApp>]>([
  ['Chrome, which builds its tree by itself when it is looked at', {}],
  ['an Electron app, which is asked by an attribute', ELECTRON],
  ['an older Electron app, which says that it has no such attribute', { ...ELECTRON, answersWrongly: true }],
])('waits for the pages of %s', async (_what, app) => {
  const rig = createMacRig();
  Object.assign(rig.browser, app);
  const { data } = await described(rig, { contents: true });
  expect(data.elements.filter(({ role }) => role === 'document')).toHaveLength(1);
  expect(data.elements.map(({ name }) => name)).toContain('Forgot it?');
  expect(data.degradedReasons.map(({ code }) => code)).not.toContain('page_without_tree');
});

test('asks an Electron app to build its tree only for contents', async () => {
  const rig = createMacRig();
  Object.assign(rig.browser, ELECTRON);
  const process = rig.mac.processes.find(({ app }) => app === rig.browser);
  await described(rig);
  expect(process?.awake).toBeNull();
  await described(rig, { contents: true });
  expect(process?.awake).not.toBeNull();
});

test('a browser that never tells its page is read from a picture, and the reason says so', async () => {
  const rig = createMacRig();
  rig.browser.buildsTree = 'never';
  const window = rig.mac.windows.find(({ title }) => title === 'Sign in');
  if (window === undefined) throw new Error('the office has a browser window');
  window.recognized = [{ text: 'Welcome back', confidence: 1, box: { x: 0, y: 0, width: 0.5, height: 0.1 } }];
  const { data } = await described(rig, { contents: true });
  expect(data.text).toMatchObject([{ text: 'Welcome back', windowId: String(window.id) }]);
  expect(data).toMatchObject({
    complete: false,
    degradedReasons: [
      {
        code: 'page_without_tree',
        message: 'Google Chrome does not tell what its pages hold, so that their text was read from a picture.',
        fix: expect.stringContaining('chrome://accessibility'),
      },
      // The table of the editor has a row that is not in view.
      { code: 'list_goes_on' },
    ],
  });
});

test('an app that hangs is named, and the others are told', async () => {
  const rig = createMacRig();
  rig.textEditProcess.hung = true;
  const { data } = await described(rig);
  expect(data.degradedReasons).toEqual([
    { code: 'app_slow', message: 'TextEdit does not answer.', fix: expect.any(String) },
    { code: 'contents_left_out', message: expect.any(String), fix: expect.any(String) },
  ]);
  expect(marks(data)).toContainEqual(['notes.txt', 'app_slow']);
  expect(outline(data)).toContain('window Sign in');
  expect(data.complete).toBe(false);
});

test('stops after two seconds, and says so', async () => {
  const rig = createMacRig();
  rig.mac.callCostMs = 150;
  const startedAt = rig.mac.clock.now();
  const { data } = await described(rig);
  expect(rig.mac.clock.now() - startedAt).toBeLessThan(3_000);
  expect(reasonCodes(data)).toEqual(['app_slow']);
  expect(marks(data)).toContainEqual(['Sign in', 'app_slow']);
  expect(data.elements.length).toBeGreaterThan(0);
});

test('stops after as many elements as asked for, and says so', async () => {
  const { data } = await described(createMacRig(), { maxElements: 7 });
  expect(data.elements).toHaveLength(7);
  expect(reasonCodes(data)).toEqual(['elements_cut', 'contents_left_out']);
  expect(marks(data)).toContainEqual(['Sign in', 'elements_cut']);
});

test('a long text is cut, and a degraded reason says so', async () => {
  const rig = createMacRig();
  show(rig, [{ role: 'AXTextArea', title: 'Log', value: 'x'.repeat(20_000) }]);
  const { data } = await described(rig, { contents: true });
  expect(data.elements[1]?.value).toHaveLength(10_001);
  expect(reasonCodes(data)).toEqual(['text_cut']);
});

test('actions an app made up are told by their name', async () => {
  const rig = createMacRig();
  show(rig, [{ role: 'AXButton', title: 'Mail', actions: ['AXPress', 'Name:Archive\nTarget:0x0\nSelector:(null)'] }]);
  expect((await described(rig)).data.elements[1]?.actions).toEqual(['press', 'Archive']);
});

test('without Accessibility it tells the windows and how to grant it', async () => {
  const rig = createMacRig();
  rig.mac.grants.accessibility = false;
  const { data } = await described(rig);
  expect(data).toMatchObject({
    complete: false,
    elements: [],
    windows: [{ title: 'notes.txt' }, { title: 'Sign in' }],
  });
  expect(data.degradedReasons).toEqual([
    {
      code: 'permission_missing_accessibility',
      message: expect.stringContaining('Accessibility'),
      fix: expect.stringContaining('Privacy_Accessibility'),
    },
  ]);
});

test('without Screen Recording the apps themselves tell the titles, and nothing is read from pictures', async () => {
  const rig = createMacRig();
  rig.mac.grants.screenRecording = false;
  const { data } = await described(rig, { contents: true });
  expect(data.windows.map((window) => window.title)).toEqual(['notes.txt', 'Sign in']);
  expect(reasonCodes(data)).toEqual(['permission_missing_screen_recording', 'list_goes_on']);
  expect(commandsOf(rig.programs, '/usr/sbin/screencapture')).toEqual([]);
});

test('with contents, and only then, text is read from pictures of windows whose app tells nothing', async () => {
  const rig = createMacRig();
  const bounds = { x: 400, y: 300, width: 400, height: 200 };
  const buttons = [
    { role: 'AXButton', subrole: 'AXCloseButton' },
    { role: 'AXGroup', children: [{ role: 'AXGroup' }] },
  ];
  const game = application('/Applications/Game.app', 'org.example.game', {
    window: {
      title: 'Game',
      bounds,
      element: { role: 'AXWindow', title: 'Game', bounds, children: buttons },
      recognized: [{ text: 'NEW GAME', confidence: 0.9, box: { x: 0.25, y: 0.5, width: 0.5, height: 0.25 } }],
    },
  });
  rig.mac.installed.push(game);
  rig.mac.launch(game);
  const without = (await described(rig)).data;
  expect(without.text).toEqual([]);
  expect(without.degradedReasons[0]).toEqual({
    code: 'window_without_tree',
    message: 'Game does not describe the contents of the window.',
    fix: expect.stringContaining('contents: true'),
  });
  expect(marks(without)[0]).toEqual(['Game', 'window_without_tree']);
  expect(commandsOf(rig.programs, '/usr/sbin/screencapture')).toEqual([]);
  const { data, details } = await described(rig, { contents: true });
  expect(data.text).toEqual([
    {
      text: 'NEW GAME',
      confidence: 0.9,
      bounds: { x: 500, y: 350, width: 200, height: 50 },
      windowId: data.windows[0]?.id,
    },
  ]);
  expect(commandsOf(rig.programs, '/usr/sbin/screencapture')).toHaveLength(1);
  expect(details).toContain('1 line of text are described');
  expect(marks(data)).toEqual([['Game', 'read_by_ocr']]);
  expect(reasonCodes(data)).toContain('read_by_ocr');
});

test('of many windows without a tree the first four are read, and it says that the others are not', async () => {
  const rig = createMacRig();
  const process = show(rig, []);
  const [window] = rig.mac.windows;
  if (window === undefined) throw new Error('a window was shown');
  const bounds = (index: number) => ({ ...window.bounds, x: window.bounds.x + 10 * index });
  rig.mac.windows = Array.from({ length: 6 }, (_, index) => ({
    ...window,
    id: 200 + index,
    pid: process.pid,
    bounds: bounds(index),
    element: null,
  }));
  const { data } = await described(rig, { contents: true });
  expect(commandsOf(rig.programs, '/usr/sbin/screencapture')).toHaveLength(4);
  expect(reasonCodes(data)).toEqual(['text_unread', 'read_by_ocr']);
});

test('a window whose picture cannot be had is named', async () => {
  const rig = createMacRig();
  show(rig, []);
  rig.programs.intercept.set('/usr/sbin/screencapture', () => fails('screencapture-window-refused'));
  const { data } = await described(rig, { contents: true });
  expect(data.degradedReasons).toEqual([
    {
      code: 'text_unread',
      message: 'The text in a window of Trial could not be read: could not create image from window',
      fix: expect.any(String),
    },
  ]);
});

test('a locked screen is described as such', async () => {
  const rig = createMacRig();
  rig.mac.session = { onConsole: true, locked: true };
  const { data, details } = await described(rig, { contents: true });
  expect(data).toMatchObject({ complete: false, windows: [], elements: [], text: [] });
  expect(data.displays).toHaveLength(1);
  expect(details).toContain('The screen is locked');
});

test('of one display only what is on it is told; of one that does not exist, that there is none', async () => {
  const rig = createMacRig();
  rig.mac.displays.push({ id: 7, name: 'LG', bounds: { x: -800, y: 0, width: 800, height: 600 }, scale: 1 });
  const [front] = rig.mac.windows;
  if (front === undefined) throw new Error('the office has windows');
  front.bounds = { x: -700, y: 80, width: 600, height: 400 };
  const { data } = await described(rig, { display: '7' });
  expect(data.windows.map((window) => window.title)).toEqual(['notes.txt']);
  expect(data.displays.map((display) => display.id)).toEqual(['7']);
  const unknown = (await described(rig, { display: '9' })).data;
  expect(unknown).toMatchObject({ complete: false, displays: [], windows: [], elements: [] });
  expect(reasonCodes(unknown)).toEqual(['display_unknown']);
});

test('menus, the Dock and invisible windows are no windows to a person', async () => {
  const rig = createMacRig();
  const [front] = rig.mac.windows;
  if (front === undefined) throw new Error('the office has windows');
  rig.mac.windows.push(
    { ...front, id: 301, layer: 101 },
    { ...front, id: 302, layer: 25 },
    { ...front, id: 303, alpha: 0 },
    { ...front, id: 304, layer: 3, title: 'Palette' },
  );
  expect((await described(rig)).data.windows.map((window) => window.title)).toEqual([
    'notes.txt',
    'Sign in',
    'Palette',
  ]);
});

test('where scripting is blocked it is a success that says it is not complete', async () => {
  const rig = createMacRig();
  rig.programs.intercept.set(OSASCRIPT, () => fails('osascript-script-error', { error: 'TypeError: undefined' }));
  const { data } = await described(rig);
  expect(data).toMatchObject({ complete: false, windows: [], displays: [] });
  expect(data.degradedReasons[0]).toMatchObject({
    code: 'desktop_unreadable',
    fix: expect.stringContaining('osascript'),
  });
});

test('the error of a script is told without the place where Handrail is installed', async () => {
  const rig = createMacRig();
  rig.programs.intercept.set(OSASCRIPT, ({ args }) => ({
    kind: 'exited',
    exitCode: 1,
    stdout: '',
    stderr: `${args[2]}: execution error: Error: TypeError: undefined is not an object (-2700)\n`,
  }));
  const [reason] = (await described(rig)).data.degradedReasons;
  expect(reason?.message).toBe(
    'macOS did not describe the whole screen: desktop.js did not answer: ' +
      'desktop.js: execution error: Error: TypeError: undefined is not an object (-2700)',
  );
});

test('an answer of another shape than expected is found out, and it says where', async () => {
  const rig = createMacRig();
  const answer = JSON.stringify({ displays: [{ id: 1 }], errors: {} });
  rig.programs.intercept.set(OSASCRIPT, () => ({ kind: 'exited', exitCode: 0, stdout: answer, stderr: '' }));
  const { data } = await described(rig);
  expect(data.degradedReasons[0]?.message).toContain('unexpected shape at /displays/0');
});

test('if only the controls cannot be read, the windows are told', async () => {
  const rig = createMacRig();
  rig.programs.intercept.set(OSASCRIPT, ({ args }) =>
    String(args[2]).includes('accessibility') ? { kind: 'timed_out' } : undefined,
  );
  const { data } = await described(rig);
  expect(data.windows).toHaveLength(2);
  expect(reasonCodes(data)).toEqual(['accessibility_off']);
});
