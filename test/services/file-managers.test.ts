import { expect, test } from 'vitest';
import type { Control, ResolvedApp } from '../../src/contract/screen.ts';
import { isFileManager } from '../../src/contract/sensitive-apps.ts';
import { control, submitOn } from './hands.ts';
import { press, typed } from './hands-access.ts';
import { startServices } from './rig.ts';

const NAUTILUS: ResolvedApp = {
  appName: 'Files',
  bundleId: 'org.gnome.Nautilus.desktop',
  alsoKnownAs: ['/usr/bin/nautilus'],
  risks: [],
};
const ITEM: Partial<Control> = { role: 'listitem', name: 'setup.sh' };

/** Under a profile that lets everything of medium risk run. */
async function verdict(body: Parameters<typeof submitOn>[1], overrides: Partial<Control>, app = NAUTILUS) {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const bounds = { x: 0, y: 0, width: 800, height: 600 };
  const window = { id: '0x9', app: app.appName, pid: 7, title: 'Home', bounds, identity: app };
  const isMenu = body.actionType === 'InvokeMenu';
  const found =
    body.actionType === 'Drag' ? [control(), control({ app, ...overrides })] : [control({ app, ...overrides })];
  return (await submitOn(rig, body, isMenu ? [window] : found)).status;
}

const click = (more: object = {}) => ({ actionType: 'Click', parameters: { elementId: 'e1', ...more } });
const DRAG = { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e2' } } };
const menu = (...path: string[]) => ({ actionType: 'InvokeMenu', parameters: { windowId: '0x9', path } });

test.each<[string, Parameters<typeof submitOn>[1], Partial<Control>]>([
  ['two clicks on a file', click({ count: 2 }), ITEM],
  ['one click on a file, which is enough where the person has set it so', click(), ITEM],
  ['a click where the app tells nothing', click(), { role: 'window', name: '' }],
  ['Return on a file', press('enter'), ITEM],
  ['Return on a path in the field of places', press('enter'), { role: 'textbox', name: 'Location', isEditable: true }],
  ['a text with a Return', typed('setup\n'), { role: 'list', name: '' }],
  ['the chord that opens', press('ctrl+o'), ITEM],
  ['the chord that opens on a Mac', press('cmd+down'), ITEM],
  ['the item Open', click(), { role: 'menuitem', name: 'Open' }],
  ['the item Run as a Program', click(), { role: 'menuitem', name: 'Run as a Program' }],
  ['the item Öffnen', click(), { role: 'menuitem', name: 'Ö_ffnen mit…' }],
  ['a button by its hint', click(), { role: 'button', name: '', texts: ['Open'] }],
  ['the menu Open', menu('File', 'Open'), {}],
  ['a drag onto a file', DRAG, { role: 'listitem', name: 'game.desktop' }],
])('N39: in a file manager, %s asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toBe('awaiting_confirmation');
});

test.each<[string, Parameters<typeof submitOn>[1], Partial<Control>]>([
  ['a click on a button', click(), { role: 'button', name: 'Back' }],
  ['a click that chooses a file with a key held', click({ modifiers: ['ctrl'] }), ITEM],
  ['a click with the right button', click({ button: 'right' }), ITEM],
  ['an arrow', press('down'), ITEM],
  ['a text in a search field', typed('notes'), { role: 'searchbox', name: 'Find', isEditable: true }],
  ['another menu', menu('View', 'Icons'), {}],
])('N39: in a file manager, %s runs', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toBe('running');
});

test('two clicks on a file elsewhere run', async () => {
  const app = { appName: 'Mousepad', alsoKnownAs: [], risks: [] };
  expect(await verdict(click({ count: 2 }), ITEM, app)).toBe('running');
});

test.each([
  'Thunar File Manager',
  'org.kde.dolphin',
  'pcmanfm-qt',
  'nemo',
  'Finder',
  'com.apple.finder',
  'Files',
  'xfdesktop',
])('N39: %s is a file manager', (name) => {
  expect(isFileManager(name)).toBe(true);
});

test.each(['FileZilla', 'Find My', 'Profiles', 'Mousepad', 'AppFinder'])('%s is none', (name) => {
  expect(isFileManager(name)).toBe(false);
});
