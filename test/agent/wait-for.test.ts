import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { WaitForWish } from '../../agent/drivers/input.ts';
import { unseenScreen } from '../../agent/drivers/looks/unseen-screen.ts';
import { createWaitFor } from '../../agent/drivers/looks/wait-for.ts';
import type { ScreenDescription } from '../../src/contract/screen.ts';

type Shown = { titles?: string[]; buttons?: string[]; lines?: string[]; field?: string };

const DISPLAY = { id: 'd', name: 'D', primary: true, bounds: { x: 0, y: 0, width: 99, height: 99 }, scale: 1 };
const BOUNDS = { x: 0, y: 0, width: 10, height: 10 };
const ELEMENT = { enabled: true, focused: false, actions: [], windowId: null, parentId: null, depth: 0 };

function describedAs({ titles = [], buttons = [], lines = [], field }: Shown): ScreenDescription {
  const common = { app: 'Shop', pid: 1, bounds: BOUNDS, zIndex: 0, focused: false, onScreen: true };
  const elements = buttons.map((name, at) => ({ ...ELEMENT, id: `e${at}`, role: 'button', name, bounds: BOUNDS }));
  const fields =
    field === undefined ? [] : [{ ...ELEMENT, id: 'f', role: 'textbox', name: 'Name', value: field, bounds: BOUNDS }];
  return {
    ...unseenScreen('frame', []),
    displays: [DISPLAY],
    complete: true,
    windows: titles.map((title, at) => ({ ...common, id: `w${at}`, title })),
    elements: [...elements, ...fields],
    text: lines.map((text) => ({ text, bounds: BOUNDS, confidence: 1 })),
  };
}

/** A screen that shows one thing after the other at each look, and the last one from then on. */
function screenThat(...shown: Shown[]) {
  const looks: { contents: boolean; atMs: number }[] = [];
  const describeScreen: Driver['describeScreen'] = async ({ contents = false }) => {
    const now = shown[Math.min(looks.length, shown.length - 1)] ?? {};
    looks.push({ contents, atMs: performance.now() });
    return { ok: true, details: 'Described.', effect: 'none', data: describedAs(now) };
  };
  const waitFor = createWaitFor(describeScreen);
  const wait = (wish: WaitForWish, deadlineMs = 5_000) =>
    waitFor(wish, { signal: new AbortController().signal, deadlineMs });
  return { wait, looks };
}

test('waits for a window, an element or a text, without regard to case', async () => {
  const screen = { titles: ['My Orders – Shop'], buttons: ['Next page'], lines: ['Your order has left'] };
  const wishes: WaitForWish[] = [
    { windowTitle: 'my orders' },
    { element: { role: 'button', name: 'next' } },
    { element: { name: 'NEXT' } },
    { text: 'has left' },
  ];
  for (const wish of wishes) {
    const { wait, looks } = screenThat({}, screen);
    expect(await wait(wish)).toMatchObject({ ok: true, details: 'It is there.', effect: 'none' });
    expect(looks).toHaveLength(2);
  }
});

test('an element of another role is not the one, and its time ends the wait', async () => {
  const { wait } = screenThat({ buttons: ['Next'] });
  expect(await wait({ element: { role: 'link', name: 'Next' } }, 250)).toMatchObject({ ok: false, code: 'timeout' });
});

test('only a wait for a text reads the contents of windows', async () => {
  for (const wish of [{ windowTitle: 'shop' }, { element: { name: 'next' } }, { text: 'left' }]) {
    const { wait, looks } = screenThat({ titles: ['Shop'], buttons: ['Next'], field: 'left' });
    expect(await wait(wish)).toMatchObject({ ok: true });
    expect(looks.map(({ contents }) => contents)).toEqual(['text' in wish]);
  }
});

test('waits until it is gone', async () => {
  const { wait, looks } = screenThat({ buttons: ['Loading'] }, { buttons: ['Loading'] }, {});
  expect(await wait({ element: { name: 'Loading' }, gone: true })).toMatchObject({ ok: true, details: 'It is gone.' });
  expect(looks).toHaveLength(3);
});

test('what has to be stable counts anew after each interruption', async () => {
  const { wait, looks } = screenThat({ titles: ['Shop'] }, {}, { titles: ['Shop'] });
  expect(await wait({ windowTitle: 'Shop', stableMs: 300 })).toMatchObject({ ok: true });
  const [, , first] = looks;
  expect(Number(looks.at(-1)?.atMs) - Number(first?.atMs)).toBeGreaterThanOrEqual(290);
});

test('a wait that is cancelled ends at once', async () => {
  const abort = new AbortController();
  const describeScreen: Driver['describeScreen'] = async () => {
    await pause(1);
    abort.abort('requested');
    return { ok: true, details: 'Described.', effect: 'none', data: describedAs({}) };
  };
  const attempt = { signal: abort.signal, deadlineMs: 60_000 };
  expect(await createWaitFor(describeScreen)({ text: 'x' }, attempt)).toMatchObject({
    ok: false,
    code: 'agent_unavailable',
  });
});

test('a wait for nothing, or for two things, is refused', async () => {
  for (const wish of [{}, { windowTitle: '' }, { windowTitle: 'a', text: 'b' }])
    expect(await screenThat({}).wait(wish)).toMatchObject({ ok: false, code: 'invalid_target' });
});

test.each([
  ['without a display', unseenScreen('frame', [])],
  ['that is locked', { ...unseenScreen('frame', [reason('display_unavailable')]), displays: [DISPLAY] }],
  [
    'that the system did not describe',
    { ...unseenScreen('frame', [reason('desktop_unreadable')]), displays: [DISPLAY] },
  ],
])('nothing counts as gone on a screen %s', async (_what, data) => {
  const describeScreen: Driver['describeScreen'] = async () => {
    return { ok: true, details: 'It could not be looked at.', effect: 'none', data };
  };
  const attempt = { signal: new AbortController().signal, deadlineMs: 250 };
  const outcome = await createWaitFor(describeScreen)({ windowTitle: 'Shop', gone: true }, attempt);
  expect(outcome).toMatchObject({ ok: false, code: 'timeout' });
});

function reason(code: string) {
  return { code, message: 'It could not be looked at.' };
}
