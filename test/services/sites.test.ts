import { expect } from 'vitest';
import type { Control, ResolvedApp } from '../../src/contract/screen.ts';
import { decide, firstPrompt, hold, show } from './answers.ts';
import { CLICK, control, MOUSEPAD, submitOn } from './hands.ts';
import { done, type Rig, startServices, test } from './rig.ts';

const CHROMIUM: ResolvedApp = { appName: 'Chromium', bundleId: 'chromium', alsoKnownAs: ['chromium'], risks: [] };
/** A browser that only its desktop entry tells. */
const UNHEARD: ResolvedApp = { appName: 'Kiwi', alsoKnownAs: ['kiwi'], risks: [], isBrowser: true };
const MAIL = 'https://mail.example.org/inbox';
const SHOP = 'http://127.0.0.1:8765/order?item=4';
const OTHER = 'https://other.example/secret';
const SITES = ['mail.example.org', '127.0.0.1:8765'];
const ASKS = { status: 'awaiting_confirmation' };
const RUNS = { status: 'running' };

function place(documents: string[], overrides: Partial<Control> = {}): Control {
  const url = documents.findLast((address) => address !== '');
  return control({ app: CHROMIUM, name: 'Next', documents, url, ...overrides });
}

async function withAccess({ app = CHROMIUM, sites = SITES } = {}): Promise<Rig> {
  const rig = startServices();
  rig.agent.apps.set(app.appName, done({ data: app }));
  const parameters = { apps: [app.appName], allow: 'input', sites, minutes: 60 };
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  show(rig, 0);
  hold(rig);
  decide(rig, 'allow');
  await rig.agent.answer(done());
  return rig;
}

test('input to a browser is asked for with its sites, and the prompt and each grant name them', async ({ rig }) => {
  rig.agent.apps.set('Chromium', done({ data: CHROMIUM }));
  const parameters = { apps: ['Chromium'], allow: 'input', sites: SITES, minutes: 15 };
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  const { prompt } = firstPrompt(rig);
  expect(prompt.sentence).toBe('Click and type in “Chromium” on mail.example.org and 127.0.0.1:8765 for 15 minutes');
  expect(prompt.changes).toContain('It can read and fill everything on these sites as you');
  const given = (await withAccess()).services.console.grants.list().map(({ literal }) => literal);
  expect(given.map((words) => words.replace(/ until .*/u, ''))).toEqual([
    '“ann” may click and type in “Chromium” (chromium) on 127.0.0.1:8765 on "Hands"',
    '“ann” may click and type in “Chromium” (chromium) on mail.example.org on "Hands"',
  ]);
});

test.each([
  ['by its name', 'Chromium', CHROMIUM],
  ['by its desktop entry', 'Kiwi', UNHEARD],
  ['by a program behind its name', 'Web', { ...MOUSEPAD, alsoKnownAs: ['firefox-esr'] }],
])('N20: input to a browser, known %s, is not asked for without sites', async (_how, name, app) => {
  const rig = startServices();
  rig.agent.apps.set(name, done({ data: app }));
  const body = { actionType: 'RequestAccess', parameters: { apps: [name], allow: 'input', minutes: 15 } };
  await expect(submitOn(rig, body)).rejects.toThrow('name the sites');
});

test.each([
  'https://mail.example.org/',
  'mail.example.org/inbox',
  'Mail.Example.org',
  'example.org:443',
  '*.example.org',
  'a b',
])('N20: %s is no site', async (site) => {
  await expect(withAccess({ sites: [site] })).rejects.toThrow(/expected a host alone/u);
});

test.each([
  ['a page of a granted site', [MAIL]],
  ['a page of another granted site', [SHOP]],
  ['a frame of one granted site in a page of another', [SHOP, MAIL]],
  ['a blank frame in a page of a granted site', ['about:srcdoc', MAIL]],
])('with access, input in %s runs', async (_what, documents) => {
  expect(await submitOn(await withAccess(), CLICK, [place(documents)])).toMatchObject(RUNS);
});

test.each([
  ['a page of another site', ['https://bank.example/']],
  ['a page of a host below the site', ['https://other.mail.example.org/']],
  ['a page on another port', ['http://127.0.0.1:8766/']],
  ['a frame of another site in a page of a granted one', ['https://pay.example/', MAIL]],
  ['a granted site in a frame of another page', [MAIL, 'https://evil.example/']],
  ['a page whose address is not known', ['']],
  ['a frame whose address is not known', ['', MAIL]],
  ['a granted site in a page that is not known', [MAIL, '']],
  ['an empty tab', ['about:blank']],
  ['a file', ['file:///etc/shadow']],
  ['the settings of the browser', ['chrome://settings/passwords']],
  ['the source of a page', [`view-source:${MAIL}`]],
  ['a text in an address', ['data:text/html,<button>Next</button>']],
  ['a blob of a granted site', ['blob:https://mail.example.org/1']],
  ['a page that looks like a granted site', ['https://mail.example.org.evil.example/']],
  ['the browser itself, around the pages', []],
])('N20: with access, input in %s asks, and no profile allows it', async (_what, documents) => {
  const rig = await withAccess();
  rig.services.console.profiles.assign('ann', 'trusted');
  expect(await submitOn(rig, CLICK, [place(documents)])).toMatchObject(ASKS);
});

test.each([
  ['for extensions', 'chrome://extensions/'],
  ['of an extension', 'chrome-extension://abcdefgh/popup.html'],
  ['for experiments', 'edge://flags'],
  ['of developer tools', 'devtools://devtools/bundled/inspector.html'],
  ['for the settings of Firefox', 'about:config'],
  ['for the add-ons of Firefox', 'about:addons'],
])('N21: input in a page %s is blocked', async (_what, address) => {
  expect(await submitOn(await withAccess(), CLICK, [place([address])])).toMatchObject({ status: 'blocked' });
});

async function pressed(keys: string) {
  const field = place([MAIL], { role: 'textbox', isEditable: true });
  return submitOn(await withAccess(), { actionType: 'PressKeys', parameters: { keys } }, [field]);
}

test.each(
  'ctrl+t ctrl+l ctrl+tab ctrl+shift+i f12 ctrl+j ctrl+o ctrl+p ctrl+shift+t alt+home cmd+alt+i shift+escape'.split(
    ' ',
  ),
)('N21: with access, %s asks, since it may be of the browser itself', async (keys) => {
  expect(await pressed(keys)).toMatchObject(ASKS);
});

test.each(['ctrl+a', 'ctrl+shift+left', 'tab', 'alt+left', 'f5', 'ctrl+r'])('with access, %s runs', async (keys) => {
  expect(await pressed(keys)).toMatchObject(RUNS);
});

test('N20: with access, a drag from one granted site to another asks', async () => {
  const drag = { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e2' } } };
  expect(await submitOn(await withAccess(), drag, [place([MAIL]), place([SHOP])])).toMatchObject(ASKS);
  expect(await submitOn(await withAccess(), drag, [place([MAIL]), place([MAIL])])).toMatchObject(RUNS);
});

test.each([
  'https://mail.example.org/',
  'https://bank.example/',
  'https://bank.example/delete?account=1',
  `https://bank.example/${'a'.repeat(300)}`,
])('N43: under trusted too, %.60s is opened only within an access', async (url) => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const body = { actionType: 'OpenUrl', parameters: { url } };
  expect(await submitOn(rig, body, [{ opener: CHROMIUM }])).toMatchObject(ASKS);
});

test.each([
  ['begins', [OTHER, MAIL]],
  ['ends', [MAIL, OTHER]],
])('N43: under trusted too, a drag that %s on a site without access asks', async (_where, [from = '', to = '']) => {
  const rig = await withAccess();
  rig.services.console.profiles.assign('ann', 'trusted');
  const drag = { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e2' } } };
  expect(await submitOn(rig, drag, [place([from]), place([to])])).toMatchObject(ASKS);
});

const LOOKS = [
  { actionType: 'TakeScreenshot', parameters: { windowId: '0x1' } },
  { actionType: 'DescribeScreen', parameters: { contents: true, format: 'text', region: '0x1' } },
];

const BOUNDS = { x: 0, y: 0, width: 9, height: 9 };
const WINDOW = { id: '0x1', app: 'Chromium', pid: 7, title: 'Mail', bounds: BOUNDS, identity: CHROMIUM };

test.each(LOOKS)(
  'N44: an access to sites lets $actionType look at a window that shows a page of one, and at no other',
  async (look) => {
    expect(await submitOn(await withAccess(), look, [{ ...WINDOW, page: MAIL }])).toMatchObject(RUNS);
    for (const other of [{ page: OTHER }, { page: 'chrome://settings/' }, { page: '' }, {}])
      expect(await submitOn(await withAccess(), look, [{ ...WINDOW, ...other }])).toMatchObject(ASKS);
  },
);

test('N21: with access, the menus of the browser ask', async () => {
  const menu = { actionType: 'InvokeMenu', parameters: { windowId: '0x1', path: ['View', 'Developer'] } };
  expect(await submitOn(await withAccess(), menu, [WINDOW])).toMatchObject({ ...ASKS, risk: { level: 'high' } });
});

test('a page of the web in an app that is no browser needs its site too, and the rest of the app does not', async () => {
  const chat: ResolvedApp = { appName: 'Chat', alsoKnownAs: ['chat'], risks: [] };
  const rig = await withAccess({ app: chat, sites: ['chat.example'] });
  const inChat = (documents: string[]) => submitOn(rig, CLICK, [place(documents, { app: chat })]);
  for (const documents of [['https://chat.example/room'], [], ['file:///opt/chat/index.html']]) {
    expect(await inChat(documents)).toMatchObject(RUNS);
    await rig.agent.answer(done());
  }
  expect(await inChat(['https://other.example/'])).toMatchObject(ASKS);
});

test('N20: to look is asked for without sites, since it is at all windows of the app', async ({ rig }) => {
  rig.agent.apps.set('Chromium', done({ data: CHROMIUM }));
  const parameters = { apps: ['Chromium'], allow: 'look', sites: SITES, minutes: 15 };
  await expect(submitOn(rig, { actionType: 'RequestAccess', parameters })).rejects.toThrow('sites are for input alone');
});
