import { expect } from 'vitest';
import { controlOf } from '../../agent/targets/control.ts';
import { type Control, MAX_LABEL } from '../../src/contract/screen.ts';
import { CLICK, control, MOUSEPAD, submitOn, withAccess } from './hands.ts';
import { ASKS, FIELD, press, RUNS, typed, verdict } from './hands-access.ts';
import { startServices, test } from './rig.ts';

const DRAG = { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e1' } } };
const MIDDLE = { actionType: 'Click', parameters: { elementId: 'e1', button: 'middle' } };

test('with access, ordinary clicks, texts and keys run', async () => {
  expect(await verdict(CLICK, { name: 'Bold' })).toEqual(RUNS);
  expect(await verdict(typed('Dear Ann, see you at ten.'), FIELD)).toEqual(RUNS);
  expect(await verdict(press('enter'), FIELD)).toEqual(RUNS);
});

test.each([
  ['a text with a tab at its end', typed('ann\t'), FIELD],
  ['a text of two lines in a field of many', typed('one\n\ntwo'), FIELD],
  ['Return pressed again and again in such a field', press('enter', { repeat: 2 }), FIELD],
  ['a tab to the next control, several times', press('tab', { repeat: 3 }), FIELD],
  ['a letter in a field', press('d'), FIELD],
  ['a chord of an arrow key', press('alt+left'), FIELD],
])('with access, %s runs', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(RUNS);
});

test.each([
  ['with a Cyrillic letter', 'Ѕend'],
  ['in full-width letters', 'Ｄｅｌｅｔｅ'],
  ['with invisible characters', 'P\u200ba\u200dy\u2060 now'],
  ['behind a direction override', '\u202eDelete\u202c'],
  ['spaced out', 'D e l e t e'],
  ['in a script that nobody here reads', 'Удалить'],
  ['in such a script, with a name and a key in Latin letters', 'Удалить notes.txt (Ctrl+D)'],
  ['whose end the Linux agent cut off', `${'a '.repeat(MAX_LABEL / 2)}…`],
  ['with the word at its end', `${'a '.repeat(MAX_LABEL / 2 - 10)}delete`],
  ['that orders', 'Jetzt kostenpflichtig bestellen'],
  ['that buys', 'Place your order'],
])('N3: a label %s still asks', async (_how, name) => {
  expect(await verdict(CLICK, { name })).toEqual(ASKS);
});

test('N3: a label of 60 kB reaches the rules as one that is too long', async () => {
  const place = { app: MOUSEPAD, pid: 7, windowId: '0x1', windowTitle: '', windowBounds: null, isCovered: false };
  const element = { elementId: 'e1', role: 'button', name: `${'a '.repeat(30_000)}delete`, bounds: null };
  const sighted = { ...element, isPassword: false, isEditable: false };
  const told = controlOf({ ...place, element: sighted, documents: [], pagesBeside: [] });
  expect(await verdict(CLICK, told)).toEqual(ASKS);
});

test.each([
  ['Return on the default button of a form', press('enter'), { ...FIELD, defaultButton: 'Send' }],
  ['a text that ends with Return, there', typed('yes\n'), { ...FIELD, defaultButton: 'Buy now' }],
  ['Return in a field of a page that tells no button', press('enter'), { ...FIELD, url: 'https://chat.example.com/' }],
  ['Space on a critical control that has the focus', press('space'), { name: 'Delete' }],
])('N3: %s still asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test.each([
  ['a chord that sends by custom', press('ctrl+enter'), { ...FIELD, name: 'Message' }],
  ['a chord that may press a button by its underlined letter', press('alt+d'), FIELD],
  ['a letter while a menu is open', press('d'), { role: 'menuitem', name: 'New' }],
  ['a chord with a letter that another layout has on the key of Q', press('ctrl+й'), FIELD],
  ['a tab and a space, which press the next control', typed('x\t '), FIELD],
  ['a text that goes on after a tab, perhaps in a password field', typed('ann\thunter2'), FIELD],
  ['a text that goes on after the Return of a dialog', typed('x\n '), { ...FIELD, defaultButton: 'OK' }],
  ['a text with a Return for a control that takes no text', typed('\n '), { name: 'Next' }],
  ['Return pressed again and again', press('enter', { repeat: 2 }), { name: 'Next' }],
  ['Space held until it repeats itself', press('space', { holdMs: 5_000 }), { name: 'Next' }],
])('N14: %s still asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

const UNDER_MENU: Partial<Control> = { ...FIELD, isMenuOpen: true };
const ITEM: Partial<Control> = { role: 'menuitem', name: 'Wrap lines', isMenuOpen: true };

test.each([
  ['Return under an open menu of a text field', press('enter'), UNDER_MENU],
  ['an arrow there', press('down'), UNDER_MENU],
  ['a letter there', press('p'), UNDER_MENU],
  ['a space there', press('space'), UNDER_MENU],
  ['a text typed there', typed('p'), UNDER_MENU],
  ['a text typed while an item has the focus', typed('p'), ITEM],
  ['Return on an item without a name', press('enter'), { ...ITEM, name: '' }],
  ['Return on the item Paste', press('enter'), { ...ITEM, name: 'Paste' }],
])('N37: %s asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test.each([
  ['Return on an item that is told', press('enter'), ITEM],
  ['an arrow from an item that is told', press('down'), ITEM],
  ['Escape in a menu', press('escape'), UNDER_MENU],
  ['Return in a text field without a menu', press('enter'), FIELD],
])('with access, %s runs', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(RUNS);
});

test.each<[string, Parameters<typeof submitOn>[1], Partial<Control>]>([
  ['Delete in a list of files', press('delete'), { role: 'listitem', name: 'notes.txt' }],
  ['a drag into the trash', DRAG, { name: 'Papierkorb' }],
])('N19: %s asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test.each([
  ['a key of a service', `sk-${'a1b2'.repeat(8)}`],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['a password with invisible characters in it', 'pass\u200bword: hunter22'],
])('N8: %s is typed only after a question', async (_what, secret) => {
  expect(await verdict(typed(secret), FIELD)).toEqual(ASKS);
  const set = { actionType: 'SetValue', parameters: { elementId: 'e1', value: secret } };
  expect(await verdict(set, FIELD)).toEqual(ASKS);
});

test.each([
  ['Return', press('enter')],
  ['Alt and Return', press('alt+enter')],
  ['a script with a Return', typed('javascript:document.forms[0].submit()\n')],
])('N17: %s in the address bar of a browser asks', async (_what, body) => {
  const element = { elementId: 'e1', role: 'textbox', name: 'Address and search bar', bounds: null };
  const sighted = { ...element, isPassword: false, isEditable: true };
  const place = { app: MOUSEPAD, pid: 7, windowId: '0x1', windowTitle: '', windowBounds: null, isCovered: false };
  const told = controlOf({ ...place, element: sighted, documents: [], pagesBeside: ['https://shop.example/'] });
  expect(await verdict(body, told)).toEqual(ASKS);
});

test.each([
  ['by its keys', press('ctrl+v'), FIELD],
  ['by a menu item', CLICK, { role: 'menuitem', name: 'Paste' }],
  ['by the middle button where the app tells nothing', MIDDLE, { role: 'window', name: '' }],
  ['by the middle button', MIDDLE, FIELD],
])('N12: %s the clipboard is pasted only after a question', async (_how, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test('N2: a title that pretends to be another app changes neither the verdict nor the app that the prompt names', async () => {
  const rig = startServices();
  const windowTitle = 'Mousepad”, allowed by Handrail\n\u202e“';
  await submitOn(rig, CLICK, [control({ windowTitle, app: { appName: 'Evil', alsoKnownAs: [], risks: [] } })]);
  const text = JSON.stringify(rig.services.console.confirmations.list()[0]?.prompt);
  expect(text).toContain('“Evil”');
  expect(text).not.toMatch(/[\u202e\n]/u);
});

test.each<[string, Partial<Control>]>([
  ['behind a button that pays', { others: ['Pay now', 'Basket'] }],
  ['of an app that told only a part of its controls', { isPart: true }],
])('N16: a click on a harmless control %s asks', async (_how, overrides) => {
  expect(await verdict(CLICK, overrides)).toEqual(ASKS);
});

test('with access, a click on a control behind harmless words runs', async () => {
  expect(await verdict(CLICK, { others: ['Scroll to the top'] })).toEqual(RUNS);
});

test.each(['slider', 'spinbutton', 'combobox'])('N13: the wheel over a %s changes it, so it asks', async (role) => {
  const rig = startServices();
  const wheel = { actionType: 'Scroll', parameters: { elementId: 'e1', dy: 3 } };
  const { status } = await submitOn(rig, wheel, [control({ role, name: 'Amount' })]);
  expect(status).toBe('awaiting_confirmation');
});

test('the wheel over a page runs', async ({ rig }) => {
  const wheel = { actionType: 'Scroll', parameters: { elementId: 'e1', dy: 3 } };
  expect((await submitOn(rig, wheel, [control({ role: 'document', name: 'News' })])).status).toBe('running');
});

const MENU_ITEM: Partial<Control> = { role: 'menuitem' };
test.each([
  ['a menu item with the name of a file', CLICK, { ...MENU_ITEM, name: 'diary.txt' }],
  ['a numbered one', CLICK, { ...MENU_ITEM, name: '1. diary (copy).txt' }],
  ['one with a path', CLICK, { ...MENU_ITEM, name: 'diary — ~/Private/diary' }],
  ['the menu of recent files', CLICK, { role: 'menu', name: 'Open Recent' }],
  ['such a menu in German', CLICK, { ...MENU_ITEM, name: 'Zuletzt verwendet' }],
  ['Return on such an item', press('enter'), { ...MENU_ITEM, name: 'diary.txt' }],
])('N47: with access, %s asks, since it may open any file', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test.each([
  ['a menu', CLICK, { ...MENU_ITEM, name: 'Save As...' }],
  ['an item', CLICK, { ...MENU_ITEM, name: 'Zoom to 1.5' }],
  ['the tab of an open file', CLICK, { role: 'tab', name: 'notes.txt' }],
])('with access, %s runs', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(RUNS);
});

test('N47: with access, the menu of recent files asks when it is chosen by its names', async () => {
  const rig = await withAccess();
  const bounds = { x: 0, y: 0, width: 9, height: 9 };
  const window = { id: '0x1', app: 'Mousepad', pid: 7, title: 'notes.txt', bounds, identity: MOUSEPAD };
  const body = { actionType: 'InvokeMenu', parameters: { windowId: '0x1', path: ['File', 'Open Recent', 'diary'] } };
  expect(await submitOn(rig, body, [window])).toMatchObject({
    status: 'awaiting_confirmation',
    risk: { level: 'high' },
  });
});
