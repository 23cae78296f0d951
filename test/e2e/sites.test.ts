import { afterAll, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { openWindow } from '../browser/chromium.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

/** A real Chromium, and a requester that has access to one of two sites in it. */
const FORM = `<label>Name <input value="old"></label><label>Note <textarea>old</textarea></label>
<label>Size <select><option>Small<option>Medium<option>Very large<option>Delete all</select></label>
<label>Amount <input type="range" max="10" value="3"></label><label>Count <input type="number" value="3"></label>
<label>Gift <input type="checkbox"></label><label>Red <input type="radio"></label>`;

/** A picture of one pixel. */
const DOT = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

/** A button, with a text and an icon in it, and a frame at its place. */
const overlaid = (frame: string, style: string) => `<title>Shop</title><body style="margin:0">
  <button style="position:absolute;left:50px;top:50px;width:120px;height:40px" onclick="document.title='Pressed'">
  <svg width="12" height="12"><circle r="6"/></svg> <span>Plain</span></button>
  <iframe style="border:0;position:absolute;left:0;top:0;width:300px;height:200px;${style}" src="${frame}"></iframe>`;
/** A number field in the middle of the page. */
const AMOUNT = `<body style="margin:0"><input aria-label="Money" type="number" value="3"
  style="position:fixed;left:25%;top:40%;width:50%;height:20%;font-size:60px">`;

/** What the pages of each host have told of: the keys that reached them. */
const keysAt: Record<string, string[]> = { '127.0.0.1': [], localhost: [] };

/** A field that goes on to a page of the other host with a field of the same name, and tells each key. */
function fieldThatGoesOn(on: string | null): string {
  const goes = on === null ? '' : `${on}="location='http://${other}/keys'"`;
  return `<input aria-label="Note" autofocus ${goes} onkeyup="fetch('/key?'+event.key)">`;
}

function pageOf(host: string, { pathname, searchParams }: URL): string {
  const asked = (name: string) => searchParams.get(name) ?? '';
  if (searchParams.has('over')) return overlaid(asked('over'), asked('style'));
  const bodies: Record<string, string> = {
    '/empty': '',
    '/middle': AMOUNT,
    '/form': FORM,
    '/keys': fieldThatGoesOn(searchParams.get('on')),
    '/': `<button onclick="this.textContent='Pressed'">Next of ${host}</button><input aria-label="Note">`,
  };
  const link = searchParams.has('link') ? `<a href="${asked('link')}">Elsewhere</a>` : '';
  const map = searchParams.has('map')
    ? `<map name=m><area shape=rect coords="0,0,200,80" alt="Area way" href="${asked('map')}"></map>`
    : '';
  const image = map && `${map}<img usemap=#m width=200 height=80 alt=Map src="${DOT}">`;
  const frame = searchParams.has('frame') ? `<iframe src="${asked('frame')}"></iframe>` : '';
  return `<title>Shop ${host}</title>${bodies[pathname] ?? ''}${link}${image}${frame}`;
}

const siteOf = (host: string) =>
  serveSite((asked, answer) => {
    const url = new URL(asked.url ?? '/', 'http://here/');
    if (url.pathname === '/key') keysAt[host]?.push(asked.url ?? '');
    answer.setHeader('content-type', 'text/html').end(pageOf(host, url));
  }, host);
const sites = [await siteOf('127.0.0.1'), await siteOf('localhost')];
const [granted = '', other = ''] = sites.map(({ host }) => host);
const hands = await shareHands();
const { page, close } = await openWindow(hands.rig.env);
afterAll(async () => {
  await close();
  for (const site of sites) site.close();
});
await hands.accessTo('chromium', 'input', [granted]);

async function elementNamed(name: string): Promise<string> {
  return hands.rig.until(`${name} is described`, async () => {
    const { elements } = await hands.look({ contents: true });
    return elements.find((element) => element.name === name)?.id;
  });
}

async function click(name: string): Promise<Action> {
  return hands.submit('Click', { elementId: await elementNamed(name) });
}

async function asks(action: Action): Promise<void> {
  expect(action).toMatchObject({ status: 'awaiting_confirmation' });
  await hands.daemon.call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: 'ann' });
}

test('with access to a site, input in its page runs, and in a frame of another host it asks', async () => {
  await page.goto(`http://${granted}/?frame=http://${other}/`);
  expect(await hands.ended(await click('Next of 127.0.0.1'))).toMatchObject({ status: 'success' });
  await page.getByRole('button', { name: 'Pressed' }).waitFor();
  await asks(await click('Next of localhost'));
});

test('SetValue sets each kind of field of a page, and the description tells each value', async () => {
  await page.goto(`http://${granted}/form`);
  const wished = Object.entries({
    Name: 'new name',
    Note: 'a longer note',
    Size: 'Very large',
    Amount: '7',
    Count: '42',
    Gift: 'on',
    Red: 'on',
  });
  const valuesNow = async () => {
    const { elements } = await hands.look({ contents: true });
    return elements.filter(({ role }) => FIELDS.has(role));
  };
  const fields = await hands.rig.until('the form is described', async () => {
    const found = await valuesNow();
    return found.some(({ name }) => name === 'Red') ? found : undefined;
  });
  expect(fields.find(({ name }) => name === 'Size')).toMatchObject({ value: 'Small' });
  const idOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.id;
  for (const [name, value] of wished) {
    const done = await hands.ended(await hands.submit('SetValue', { elementId: idOf(name), value }));
    expect(done, name).toMatchObject({ status: 'success', effect: 'confirmed' });
  }
  const now = await valuesNow();
  expect(wished.map(([wanted]) => [wanted, now.find(({ name }) => name === wanted)?.value])).toEqual(wished);
  const shown = await page.evaluate<string[]>(`[...document.querySelectorAll('input, textarea, select')].map((field) =>
    ['checkbox', 'radio'].includes(field.type) ? String(field.checked) : field.value)`);
  expect(shown).toEqual(['new name', 'a longer note', 'Very large', '7', '42', 'true', 'true']);
  const none = await hands.ended(await hands.submit('SetValue', { elementId: idOf('Size'), value: 'Large' }));
  expect(none).toMatchObject({ status: 'failed', error: { fix: 'It has: Very large.' } });
  await asks(await hands.submit('SetValue', { elementId: idOf('Size'), value: 'Delete all' }));
});

const FIELDS: ReadonlySet<string> = new Set(['textbox', 'combobox', 'slider', 'spinbutton', 'checkbox', 'radio']);

test('N20: it asks in the page of another host, and in a frame of the site in that page', async () => {
  await page.goto(`http://${other}/?frame=http://${granted}/`);
  await asks(await click('Next of localhost'));
  await asks(await click('Next of 127.0.0.1'));
});

test('N45: with access to a site a link to another host asks, and a link to the same one runs', async () => {
  await page.goto(`http://${granted}/?link=http://${other}/`);
  await asks(await click('Elsewhere'));
  await page.goto(`http://${granted}/?link=/empty`);
  expect(await hands.ended(await click('Elsewhere'))).toMatchObject({ status: 'success' });
  // Or the next page would be opened in the middle of it.
  await page.waitForURL('**/empty');
});

test('N45: with access to a site an area of an image map that leads to another host asks', async () => {
  await page.goto(`http://${granted}/?map=http://${other}/`);
  await asks(await hands.submit('Click', await middleOf(await elementNamed('Map'))));
  expect(page.url()).toContain(granted);
});

test('N44: the texts of a window are read while it shows a page of the site; after a link to another host they ask', async () => {
  await page.goto(`http://${granted}/?link=http://${other}/`);
  const link = await elementNamed('Elsewhere');
  const readWindow = async () => {
    const { windows } = await hands.look({});
    const region = windows.find(({ title }) => title.startsWith('Shop'))?.id;
    return hands.submit('DescribeScreen', { contents: true, format: 'text', region });
  };
  const read = await hands.ended(await readWindow());
  expect(read).toMatchObject({ status: 'success', data: { text: expect.stringContaining('Next of 127.0.0.1') } });
  // The link leads to another host, so the person is asked, and may say yes.
  await hands.allowedAfter({ actionType: 'Click', parameters: { elementId: link } }, async () => undefined);
  await page.waitForURL(`http://${other}/`);
  await elementNamed('Next of localhost');
  await asks(await readWindow());
});

test('N41: it asks where a frame of another host lies over a control of the site, by the element and by its point', async () => {
  for (const style of ['', 'opacity:0.01']) {
    await page.goto(`http://${granted}/?over=http://${other}/&style=${style}`);
    const elementId = await elementNamed('Plain');
    await asks(await hands.submit('Click', { elementId }));
    await asks(await hands.submit('TypeText', { elementId, text: 'x' }));
    await asks(await hands.submit('Click', await middleOf(elementId)));
  }
});

test('a control with a frame of another host behind it runs, and so does one with a frame of the site over it', async () => {
  for (const [host, style] of [
    [other, 'z-index:-1'],
    [other, 'pointer-events:none'],
    [granted, ''],
  ]) {
    await page.goto(`http://${granted}/?over=http://${host}/&style=${style}`);
    const elementId = await elementNamed('Plain');
    expect(await hands.ended(await hands.submit('Click', { elementId })), style).toMatchObject({ status: 'success' });
  }
});

async function middleOf(elementId: string): Promise<{ x: number; y: number }> {
  const { elements } = await hands.look({ contents: true });
  const { x = 0, y = 0, width = 0, height = 0 } = elements.find(({ id }) => id === elementId)?.bounds ?? {};
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

test('N50: the wheel over the document turns no number field in its middle, and over the field itself it does', async () => {
  await page.goto(`http://${granted}/middle`);
  const field = await elementNamed('Money');
  await page.focus('input');
  const { elements } = await hands.look({ contents: true });
  const whole = elements.find(({ role, name }) => role === 'document' && name.startsWith('Shop'))?.id;
  const over = async (elementId?: string) => hands.ended(await hands.submit('Scroll', { elementId, dy: -2 }));
  expect(await over(whole)).toMatchObject({ status: 'failed', error: { code: 'invalid_target' } });
  expect(await page.inputValue('input')).toBe('3');
  expect(await over(field)).toMatchObject({ status: 'success' });
  await hands.rig.until('it is turned', async () => (await page.inputValue('input')) === '5');
});

test('N20: it asks once the tab has gone on to another host', async () => {
  await page.goto(`http://${granted}/`);
  const elementId = await elementNamed('Note');
  await page.goto(`http://${other}/`);
  await elementNamed('Next of localhost');
  const typed = await hands.submit('TypeText', { elementId, text: 'x' });
  expect(typed.status).not.toBe('success');
  await asks(await hands.submit('TypeText', { elementId: await elementNamed('Note'), text: 'x' }));
});

test('N42: nothing is typed where a click makes the page go on to another site with a field of the same name', async () => {
  await page.goto(`http://${granted}/keys?on=onmousedown`);
  const typed = await hands.submit('TypeText', { elementId: await elementNamed('Note'), text: 'not for others' });
  expect(await hands.ended(typed)).toMatchObject({ status: 'failed', error: { code: 'target_changed' } });
  await page.getByRole('textbox', { name: 'Note' }).waitFor();
  expect([new URL(page.url()).host, keysAt.localhost]).toEqual([other, []]);
});

test('N42: a key that is pressed again and again ends when the first one makes the page go on to another site', async () => {
  await page.goto(`http://${granted}/keys?on=onkeydown`);
  expect(await hands.ended(await click('Note'))).toMatchObject({ status: 'success' });
  const pressed = await hands.ended(await hands.submit('PressKeys', { keys: 'x', repeat: 30, holdMs: 100 }));
  expect(pressed).toMatchObject({ status: 'failed', error: { code: 'target_changed' } });
  // One key may be under way when the page changes.
  expect(keysAt.localhost?.length).toBeLessThanOrEqual(1);
});

test('N21: it asks in the address bar and in a file, and pages for extensions are blocked', async () => {
  await page.goto(`http://${granted}/`);
  await asks(await hands.submit('TypeText', { elementId: await elementNamed('Address and search bar'), text: 'news' }));
  await asks(await click('Reload'));
  await page.goto('chrome://settings/');
  await page.bringToFront();
  await asks(await hands.submit('PressKeys', { keys: 'tab' }));
  await page.goto('chrome://extensions/');
  const elementId = await elementNamed('Search extensions');
  expect(await hands.submit('Click', { elementId })).toMatchObject({ status: 403 });
});
