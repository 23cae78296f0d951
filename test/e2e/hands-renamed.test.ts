import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScreenElement } from '../../src/contract/screen.ts';
import { openPage } from '../desktop/use-hands.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

/** A page that changes itself when it is told to, and reports every event of pointer and keyboard that it gets. */
const PAGE = `<title>A shop</title><main><button id="it">Send</button></main><script>
  for (const name of ['pointerdown', 'pointermove', 'click', 'keydown', 'input'])
    addEventListener(name, (event) => fetch('/got?' + name), true);
  const next = async () => {
    const change = await (await fetch('/change')).text();
    Function(change)();
    fetch('/changed');
    next();
  };
  next();
</script>`;

let waiting: ServerResponse | undefined;
let changed = 0;
const got: string[] = [];

const listener: RequestListener = (request, response) => {
  const { url = '' } = request;
  if (url === '/change') {
    waiting = response;
    return;
  }
  if (url === '/changed') changed += 1;
  if (url.startsWith('/got?')) got.push(url.slice('/got?'.length));
  response.setHeader('content-type', 'text/html; charset=utf-8').end(url === '/' ? PAGE : '');
};

const site = await serveSite(listener);
afterAll(site.close);
const hands = await shareHands();
const folder = mkdtempSync(join(tmpdir(), 'handrail-renamed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

beforeAll(async () => {
  await openPage({ rig: hands.rig, folder }, `http://${site.host}/`);
  await hands.accessTo('chromium', 'input', [site.host]);
});

async function change(script: string): Promise<void> {
  const before = changed;
  await hands.rig.until('the page waits for a change', () => waiting !== undefined);
  waiting?.end(script);
  waiting = undefined;
  await hands.rig.until('the page has changed', () => changed > before);
}

async function send(): Promise<ScreenElement> {
  await change(`document.querySelector('main').innerHTML = '<button id="it">Send</button>'`);
  return hands.rig.until('the button is described', async () => {
    const { elements } = await hands.look({ contents: true });
    return elements.find(({ role, name }) => role === 'button' && name === 'Send');
  });
}

test.each([
  ['renamed', `document.querySelector('#it').textContent = 'Delete everything'`],
  ['replaced by one with the same name', `document.querySelector('main').innerHTML = '<button>Send</button>'`],
  ['moved', `document.querySelector('#it').style.marginLeft = '80px'`],
  ['removed', `document.querySelector('main').innerHTML = ''`],
])(
  'N1: a control that is %s while the prompt waits is not clicked, and its page sees no event',
  async (_how, script) => {
    const { id: elementId } = await send();
    got.length = 0;
    const action = await hands.allowedAfter({ actionType: 'Click', parameters: { elementId } }, () => change(script));
    expect(action).toMatchObject({
      status: 'failed',
      effect: 'none',
      error: { code: expect.stringMatching(/^target_(?:changed|gone)$/) },
    });
    expect(got).toEqual([]);
  },
);

test('N1: a control that stays as it was gets the click', async () => {
  const { id: elementId } = await send();
  got.length = 0;
  const action = await hands.allowedAfter({ actionType: 'Click', parameters: { elementId } }, async () => undefined);
  expect(action).toMatchObject({ status: 'success', data: { delivered: 'yes' } });
  await hands.rig.until('the page reports the click', () => got.includes('click'));
});
