import { expect, onTestFinished, test } from 'vitest';
import { type HitWindow, showHits } from '../desktop/hits.ts';
import { shareHands } from './shared.ts';

/** What is done to windows, seen by the window manager's own programs. */
const hands = await shareHands();

async function shown(title: string): Promise<HitWindow> {
  const window = await showHits(hands.rig, { title, area: { x: 300, y: 200, width: 400, height: 300 } });
  onTestFinished(window.end);
  return window;
}

/** The id as a caller learns it. */
async function listed(title: string): Promise<string> {
  const action = await hands.ended(await hands.submit('ListWindows', {}));
  const { windows } = action.data as { windows: { id: string; title: string }[] };
  return windows.find((one) => one.title === title)?.id ?? '';
}

async function done(actionType: string, parameters: unknown) {
  const action = await hands.submit(actionType, parameters);
  if (action.status === 'awaiting_confirmation') await hands.person.answer('allow');
  return hands.ended(action);
}

async function isMinimized({ id }: HitWindow): Promise<boolean> {
  return (await hands.rig.ask('xprop', '-id', id, '_NET_WM_STATE')).includes('_NET_WM_STATE_HIDDEN');
}

const CONFIRMED = { status: 'success', effect: 'confirmed' };

test('a window is minimized, and brought back to the front with the keyboard', async () => {
  const window = await shown('Down and up');
  const windowId = await listed('Down and up');
  expect(await done('MinimizeWindow', { windowId })).toMatchObject(CONFIRMED);
  expect(await isMinimized(window)).toBe(true);
  expect(await done('FocusWindow', { windowId })).toMatchObject(CONFIRMED);
  expect(await isMinimized(window)).toBe(false);
  expect((await hands.rig.activeWindow())?.id).toBe(window.id);
});

test('a window is moved and sized to the pixel that was asked for', async () => {
  const window = await shown('Moved');
  const bounds = { x: 120, y: 90, width: 500, height: 400 };
  expect(await done('MoveWindow', { windowId: await listed('Moved'), bounds })).toMatchObject(CONFIRMED);
  const [left, right, top, bottom] = (await hands.rig.ask('xprop', '-id', window.id, '_NET_FRAME_EXTENTS'))
    .replace(/^.*= /, '')
    .split(', ')
    .map(Number) as [number, number, number, number];
  expect(await hands.rig.area(window.id)).toEqual({
    x: bounds.x + left,
    y: bounds.y + top,
    width: bounds.width - left - right,
    height: bounds.height - top - bottom,
  });
});

test('a window is closed, also while it is minimized; one that hears no request stays', async () => {
  const { window } = await hands.rig.open('mousepad', ['--disable-server']);
  const windowId = await listed(window.title);
  expect(await done('MinimizeWindow', { windowId })).toMatchObject(CONFIRMED);
  // The window manager moves it while it shows how it goes.
  await hands.rig.until('it is out of sight', async () =>
    (await hands.rig.ask('xwininfo', '-id', window.id)).includes('Map State: IsUnMapped'),
  );
  expect(await done('CloseWindow', { windowId })).toMatchObject(CONFIRMED);
  expect((await hands.rig.windows()).map(({ id }) => id)).not.toContain(window.id);

  const deaf = await shown('Deaf');
  expect(await done('CloseWindow', { windowId: await listed('Deaf') })).toMatchObject({
    status: 'success',
    effect: 'unverified',
  });
  expect((await hands.rig.windows()).map(({ id }) => id)).toContain(deaf.id);
});

test('of a minimized window no picture is asked for, and no menu is opened', async () => {
  await shown('Hidden');
  const windowId = await listed('Hidden');
  await done('MinimizeWindow', { windowId });
  for (const [actionType, parameters] of [
    ['TakeScreenshot', { windowId }],
    ['InvokeMenu', { windowId, path: ['File', 'Quit'] }],
  ] as const)
    expect(await hands.ended(await hands.submit(actionType, parameters))).toMatchObject({
      status: 'failed',
      error: { code: 'target_gone' },
    });
  expect(await hands.person.prompts()).toEqual([]);
});

test('N53: with access to an editor, a chord or a click that brings up the menu of the window manager asks', async () => {
  const { app, window } = await hands.rig.open('mousepad', ['--disable-server']);
  await hands.accessTo('Mousepad', 'input');
  await hands.rig.until('Mousepad has the keyboard', async () => (await hands.rig.activeWindow())?.pid === app.pid);
  const { x, y, width } = await hands.rig.area(window.id);
  const title = { x: x + width / 2, y: y - 8 };
  for (const [actionType, parameters] of [
    ['PressKeys', { keys: 'alt+space' }],
    ['Click', { ...title, button: 'right' }],
    ['Click', { ...title, x: x + 8 }],
    ['Drag', { from: title, to: { ...title, x: x + 8 } }],
  ] as const) {
    const { status, actionId } = await hands.submit(actionType, parameters);
    expect([actionType, parameters, status]).toEqual([actionType, parameters, 'awaiting_confirmation']);
    await hands.daemon.call(`/api/tee/actions/${actionId}/cancel`, { method: 'POST', userId: 'ann' });
  }
  expect(await hands.ended(await hands.submit('PressKeys', { keys: 'ctrl+a' }))).toMatchObject({ status: 'success' });
  const inside = { x: x + width / 2, y: y + 200 };
  expect(await hands.ended(await hands.submit('Click', inside))).toMatchObject({ status: 'success' });
  await app.end();
});

test("N53: no window takes the keyboard while the person's hand is at work", async () => {
  const [mine, other] = [await shown('Mine'), await shown('Other')];
  await hands.rig.ask('xdotool', 'windowactivate', '--sync', mine.id);
  const windowId = await listed('Other');
  const hand = hands.rig.touchByPerson;
  // On a busy machine the hand may be too slow once.
  await hands.rig.until('the window is held back', async () => {
    await hand();
    const action = await hands.submit('FocusWindow', { windowId });
    for (let touches = 0; touches < 3; touches += 1) await hand();
    await hands.daemon.call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: 'ann' });
    const { status, effect } = await hands.ended(action);
    return status === 'cancelled' && effect === 'none' && (await hands.rig.activeWindow())?.id !== other.id;
  });
  expect(await done('FocusWindow', { windowId })).toMatchObject(CONFIRMED);
});

test('N53: a window that stays above all others asks before it is moved', async () => {
  const window = await shown('Above');
  const windowId = await listed('Above');
  const bounds = { x: 120, y: 90, width: 500, height: 400 };
  expect(await hands.ended(await hands.submit('MoveWindow', { windowId, bounds }))).toMatchObject(CONFIRMED);
  await hands.rig.ask('wmctrl', '-i', '-r', window.id, '-b', 'add,above');
  await hands.rig.until('it stays above', async () =>
    (await hands.rig.ask('xprop', '-id', window.id, '_NET_WM_STATE')).includes('_ABOVE'),
  );
  const { status, actionId } = await hands.submit('MoveWindow', { windowId, bounds: { ...bounds, x: 200 } });
  expect(status).toBe('awaiting_confirmation');
  await hands.daemon.call(`/api/tee/actions/${actionId}/cancel`, { method: 'POST', userId: 'ann' });
});
