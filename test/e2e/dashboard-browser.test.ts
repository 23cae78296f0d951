import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { openWindow } from '../browser/chromium.ts';
import { typeCode } from '../browser/page-rig.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

/** Real Chromiums on one desktop: one holds the signed-in dashboard, and the requester tries all of its windows. */
const hands = await shareHands();

beforeEach(async () => {
  const { status } = await hands.person.call('/sessions/end-others', { method: 'POST' });
  expect(status).toBe(200);
});

const REASON = 'Your dashboard is open in this browser. Open it in its own window: handrail open';

async function browser(profile?: string, more?: string[]) {
  const opened = await openWindow(hands.rig.env, { profile, more });
  onTestFinished(opened.close);
  return opened;
}

async function signIn({ page }: { page: Page }): Promise<void> {
  await page.goto(hands.daemon.base);
  await typeCode(page, await hands.person.newCode());
  await page.getByText('No requests waiting').waitFor();
}

/** The host of a page with one large button, which tells in its title that it was pressed. */
async function game(title: string): Promise<string> {
  const html = `<title>${title}</title><body style="margin:0"><button style="width:100vw;height:100vh" onclick="document.title='${title} pressed'">Next</button>`;
  const site = await serveSite((_asked, answer) => answer.setHeader('content-type', 'text/html').end(html));
  onTestFinished(site.close);
  return site.host;
}

type Listed = {
  id: string;
  title: string;
  pid: number;
  bounds: { x: number; y: number; width: number; height: number };
};

async function windowOf(title: string): Promise<Listed> {
  return hands.rig.until(`a window ${title}`, async () => {
    const { data } = await hands.ended(await hands.submit('ListWindows', {}));
    return (data as { windows: Listed[] }).windows.find((one) => one.title.startsWith(title));
  });
}

/** A click into the middle of a window that is in front. */
async function clickIn(title: string): Promise<Action> {
  const { id, bounds } = await windowOf(title);
  await hands.rig.ask('wmctrl', '-i', '-a', id);
  await hands.rig.until('it is in front', async () => Number((await hands.rig.activeWindow())?.id) === Number(id));
  return hands.submit('Click', { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 });
}

async function accessToChromium(): Promise<Action> {
  return hands.submit('RequestAccess', { apps: ['chromium'], allow: 'input', sites: ['example.org'], minutes: 10 });
}

test('A20, A21: no window of the browser with the dashboard is a target, and another browser stays one', {
  timeout: 180_000,
}, async () => {
  await hands.accessTo('chromium', 'input', ['example.org']);
  const grants = () => hands.person.call<{ items: unknown[] }>('/grants').then(({ body }) => body.items);
  expect(await grants()).toHaveLength(1);
  const own = await browser();
  await signIn(own);
  expect(await grants()).toEqual([]);
  expect(await accessToChromium()).toMatchObject({ detail: expect.stringContaining(REASON) });

  const beside = { context: own.context, page: await own.context.newPage() };
  await beside.page.goto('chrome://extensions');
  expect(await clickIn('Extensions')).toMatchObject({ detail: expect.stringContaining(REASON) });
  const { id: windowId } = await windowOf('Extensions');
  expect(await hands.submit('CloseWindow', { windowId })).toMatchObject({ status: 403 });
  expect(await hands.submit('PressKeys', { keys: 'ctrl+v' })).toMatchObject({ status: 403 });

  const other = await browser();
  await other.page.goto(`http://${await game('Game')}/`);
  const click = await clickIn('Game');
  expect(click).toMatchObject({ status: 'awaiting_confirmation' });
  // The page shows the prompt as well, and another look at it can make an answer too early.
  await hands.rig.until('it is allowed', async () => (await hands.person.answer('allow')).status === 200);
  expect(await hands.ended(click)).toMatchObject({ status: 'success' });
  await hands.rig.until('it was pressed', async () => (await other.page.title()) === 'Game pressed');
});

test("A21: with the dashboard in Handrail's own profile, access to the person's browser holds", {
  timeout: 180_000,
}, async () => {
  const own = await browser(join(hands.daemon.dataDirectory, 'browser-profile'), ['--disable-extensions']);
  const site = await game('Chess');
  await hands.accessTo('chromium', 'input', [site]);
  await signIn(own);
  const wish = await accessToChromium();
  expect(wish).toMatchObject({ status: 'awaiting_confirmation' });
  await hands.daemon.call(`/api/tee/actions/${wish.actionId}/cancel`, { method: 'POST', userId: 'ann' });
  const other = await browser();
  await other.page.goto(`http://${site}/`);
  const click = await clickIn('Chess');
  expect(await hands.ended(click)).toMatchObject({ status: 'success' });
  await hands.rig.until('it was pressed', async () => (await other.page.title()) === 'Chess pressed');
  const beside = { context: own.context, page: await own.context.newPage() };
  await beside.page.goto(`http://${await game('Bait')}/`);
  expect(await clickIn('Bait')).toMatchObject({ detail: expect.stringContaining(REASON) });
});
