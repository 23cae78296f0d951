import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { deliveryIn } from '../../src/contract/delivery-words.ts';
import { openWindow } from '../browser/chromium.ts';
import { typeCode } from '../browser/page-rig.ts';
import { startInput } from '../desktop/linux-input-rig.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

/** The dashboard is open in a real Chromium to which the requester has access, and the requester tries to press Allow in it. */
const hands = await shareHands();
await hands.accessTo('chromium', 'input', [new URL(hands.daemon.base).host]);
const eyes = startInput(hands.rig, { watchesPerson: false });
afterAll(eyes.close);
const more = ['--window-position=0,0', '--window-size=1400,1000'];
const { context, page, close } = await openWindow(hands.rig.env, { more });
afterAll(close);
const { id: bobsDevice } = await hands.daemon.register(undefined, 'bob');

beforeAll(async () => {
  await page.goto(hands.daemon.base);
  await typeCode(page, await hands.person.newCode());
  await page.getByText('No requests waiting').waitFor();
});

const ENDED = ['success', 'failed', 'denied', 'expired', 'cancelled', 'blocked', 'unknown'];

async function stateOf({ actionId, userId }: Pick<Action, 'actionId' | 'userId'>): Promise<Action> {
  return (await hands.daemon.call<Action>(`/api/tee/actions/${actionId}`, { userId })).body;
}

async function cancel(action: Action): Promise<void> {
  await hands.daemon.call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: action.userId });
}

let asked = 0;

/** A request of another program, of which the page shows the prompt. */
async function ask(): Promise<Action> {
  asked += 1;
  const region = { x: asked, y: 0, width: 10, height: 10 };
  const body = { targetDeviceId: bobsDevice, actionType: 'TakeScreenshot', parameters: { region } };
  const action = (await hands.daemon.submit(body, { userId: 'bob', headers: { prefer: 'wait=0' } })).body;
  await hands.rig.until('the prompt waits', async () => (await hands.person.prompts()).length > 0);
  return action;
}

type Aim = { point: { x: number; y: number }; elementId: string; windowId: string };
type Step = [actionType: string, parameters: Record<string, unknown>];

/** The place of the Allow button, as a requester may have learned it in another way than by a look. */
async function aimed(): Promise<Aim> {
  const elements = await hands.rig.until('the button is told', async () => {
    const told = await eyes.everything();
    return told.some(({ name }) => /^Allow/.test(name)) ? told : undefined;
  });
  const button = elements.find(({ role, name }) => role === 'button' && /^Allow/.test(name));
  const { bounds } = button ?? {};
  if (button === undefined || bounds === null || bounds === undefined) throw new Error('the button has no place');
  const point = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  return { point, elementId: button.id, windowId: button.windowId ?? '' };
}

test('N49: under the profile trusted, no look and no wait tells what the dashboard shows', {
  timeout: 120_000,
}, async () => {
  const profile = (name: string) => hands.person.call('/users/ann/profile', { method: 'PUT', body: { profile: name } });
  await profile('trusted');
  onTestFinished(() => void profile('assist'));
  const text = 'secret of bob';
  const body = { targetDeviceId: bobsDevice, actionType: 'WriteClipboard', parameters: { text } };
  const waiting = (await hands.daemon.submit(body, { userId: 'bob', headers: { prefer: 'wait=0' } })).body;
  await page.getByText(text).first().waitFor();
  await hands.rig.until('the browser tells it', async () => JSON.stringify(await eyes.everything()).includes(text));
  for (const format of ['json', 'text']) {
    const seen = await hands.ended(await hands.submit('DescribeScreen', { contents: true, format }));
    expect(seen).toMatchObject({ status: 'success', data: { complete: false } });
    expect(JSON.stringify(seen.data)).toContain('own_page');
    expect(JSON.stringify(seen)).not.toContain(text);
  }
  const waited = await hands.ended(await hands.submit('WaitFor', { text }, { timeoutMs: 5_000 }));
  expect(waited).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  await cancel(waiting);
});

const ATTACKS: Record<string, (aim: Aim) => Step[]> = {
  'clicks at the point of Allow': ({ point }) => [
    ['Click', point],
    ['Click', { ...point, count: 2 }],
  ],
  'a click on the element': ({ elementId }) => [
    ['Click', { elementId }],
    ['SetValue', { elementId, value: 'true' }],
  ],
  'Tab and Return': () => [
    ['PressKeys', { keys: 'tab', repeat: 3 }],
    ['PressKeys', { keys: 'enter' }],
  ],
  'Space, held': () => [
    ['PressKeys', { keys: 'space', holdMs: 1_200 }],
    ['PressKeys', { keys: 'y' }],
  ],
  'an address with a script': ({ windowId }) => [
    ['FocusWindow', { windowId }],
    ['PressKeys', { keys: 'ctrl+l' }],
    ['TypeText', { text: 'javascript:document.querySelector("button").click()\n' }],
  ],
  'a drag onto Allow': ({ point }) => [
    ['Drag', { from: { x: point.x - 90, y: point.y }, to: point }],
    ['Scroll', { ...point, dy: 3 }],
  ],
  'a press that begins on Allow': ({ point }) => [
    ['Drag', { from: point, to: { x: point.x, y: point.y - 4 } }],
    ['Click', { ...point, button: 'middle', modifiers: ['ctrl'] }],
  ],
  'a shortcut of the browser and its menu': ({ windowId }) => [
    ['PressKeys', { keys: 'ctrl+shift+j' }],
    ['InvokeMenu', { windowId, path: ['Edit', 'Paste'] }],
    ['TypeText', { text: 'y ' }],
  ],
};

/** Until each has ended or is put off: the person is asked, or it waits for the prompt. */
async function play(steps: readonly Step[]): Promise<Action[]> {
  const actions: Action[] = [];
  for (const [actionType, parameters] of steps) {
    const action = await hands.submit(actionType, parameters, { timeoutMs: 5_000 });
    actions.push({ ...action, userId: 'ann' });
    await hands.rig.until(
      'it has ended or waits',
      async () => (await stateOf({ ...action, userId: 'ann' })).status !== 'running',
    );
  }
  return Promise.all(actions.map(stateOf));
}

async function isStill(action: Action): Promise<void> {
  expect((await stateOf(action)).status).toBe('awaiting_confirmation');
}

async function tidy(actions: readonly Action[]): Promise<void> {
  for (const action of actions) if (!ENDED.includes((await stateOf(action)).status)) await cancel(action);
}

const keys = (...wanted: string[]) => hands.rig.ask('xdotool', 'key', ...wanted);

/** They take their part of the window from the page. */
async function openTools(): Promise<void> {
  const size = () => page.evaluate<number>('innerWidth * innerHeight');
  const whole = await size();
  await keys('F12');
  await hands.rig.until('the tools are there', async () => (await size()) < whole);
}

type Place = { enter(): Promise<unknown>; leave(): Promise<unknown> };

const PLACES: Record<string, Place> = {
  'in front': { enter: () => page.bringToFront(), leave: async () => undefined },
  'with the keyboard in the address bar': { enter: () => keys('ctrl+l'), leave: () => page.bringToFront() },
  'beside its developer tools': { enter: openTools, leave: () => keys('F12') },
  'twice, in a second window': {
    enter: () => page.evaluate(`void window.open(location.href, 'other', 'width=900,height=700')`),
    leave: () =>
      Promise.all(
        context
          .pages()
          .filter((one) => one !== page)
          .map((one) => one.close()),
      ),
  },
};

test.each(Object.keys(PLACES))(
  'N6: no sequence of a requester presses Allow of a dashboard %s',
  { timeout: 180_000 },
  async (name) => {
    const place = PLACES[name];
    await page.bringToFront();
    await place?.enter();
    try {
      await withstand();
    } finally {
      await place?.leave();
    }
  },
);

/** Each attack is made twice: while no prompt waits, so that only the rule about Handrail's own page holds it, and while one is shown. */
async function withstand(): Promise<void> {
  const first = await ask();
  const aim = await aimed();
  await tidy([first]);
  for (const [how, attack] of Object.entries(ATTACKS)) {
    const before = await play(attack(aim));
    const got = before.filter(({ actionType, data }) => actionType !== 'FocusWindow' && isDelivered(data));
    expect(got, how).toEqual([]);
    await tidy(before);
    const waiting = await ask();
    const during = await play(attack(aim));
    await isStill(waiting);
    await tidy([...during, waiting]);
  }
}

function isDelivered(data: unknown): boolean {
  return deliveryIn({ data })?.delivered === 'yes';
}

/** A page of another program that frames the dashboard. */
async function framing(): Promise<Page> {
  const addresses = ['', '/docs', '/#/requests'].map((path) => `${hands.daemon.base}${path}`);
  const frames = addresses.map((address) => `<iframe src="${address}" width="600" height="300"></iframe>`);
  const site = await serveSite((_asked, answer) =>
    answer.setHeader('content-type', 'text/html').end(`<title>Game</title>${frames.join('')}`),
  );
  onTestFinished(site.close);
  const game = await context.newPage();
  onTestFinished(() => game.close());
  await game.goto(`http://${site.host}/`);
  return game;
}

test('N6: the dashboard stays empty in a frame, and no sequence on the page around it allows a prompt', {
  timeout: 180_000,
}, async () => {
  const waiting = await ask();
  const { point, elementId } = await aimed();
  const game = await framing();
  await game.bringToFront();
  const inside = game.frames().filter((frame) => frame !== game.mainFrame());
  expect(inside.map((frame) => frame.url())).toEqual(Array(3).fill('chrome-error://chromewebdata/'));
  for (const frame of inside) expect(await frame.getByRole('button', { name: /Allow|Deny/ }).count()).toBe(0);
  const windowId = (await hands.rig.activeWindow())?.id ?? '';
  for (const attack of Object.values(ATTACKS)) {
    await game.bringToFront();
    const actions = await play(attack({ point, elementId, windowId }));
    await isStill(waiting);
    await tidy(actions);
  }
  await tidy([waiting]);
});
