import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ActivityDetail } from '../../src/contract/activity.ts';
import { type HitWindow, showHits } from '../desktop/hits.ts';
import { shareHands } from './shared.ts';

/** The window under attack records everything that it gets. The pointer waits elsewhere. */
const hands = await shareHands();

const AREA = { x: 300, y: 200, width: 400, height: 300 };
const POINT = { x: 500, y: 350 };
const AWAY = { x: 1_500, y: 900 };

beforeAll(async () => {
  await hands.rig.ask('xdotool', 'mousemove', String(AWAY.x), String(AWAY.y));
});

async function shown(title: string, area = AREA, isOverlay = false): Promise<HitWindow> {
  const window = await showHits(hands.rig, { title, area, isOverlay });
  onTestFinished(window.end);
  return window;
}

type Change = (window: HitWindow) => Promise<HitWindow | undefined>;

const CHANGES: [string, Change][] = [
  [
    'moved',
    async ({ id }) => {
      await hands.rig.ask('xdotool', 'windowmove', '--sync', id, '340', '230');
      return undefined;
    },
  ],
  [
    'closed',
    async ({ end }) => {
      await end();
      return undefined;
    },
  ],
  ['covered by another window', () => shown('On top')],
  ['covered at the point by an overlay that no window manager knows', () => shown('Overlay', OVERLAY, true)],
  [
    'covered by a click-sized overlay exactly over the point',
    () => shown('Dot', { ...POINT, width: 1, height: 1 }, true),
  ],
];

const OVERLAY = { x: POINT.x - 30, y: POINT.y - 20, width: 60, height: 40 };

test('a click that another window has kept from its target shows the person what it met', async () => {
  // The first picture of an agent may take longer than an input waits for one.
  await hands.allowedAfter({ actionType: 'TakeScreenshot', parameters: { format: 'jpeg' } }, async () => undefined);
  await shown('Before');
  const { frameId } = await hands.look();
  const click = { actionType: 'Click', parameters: { frameId, ...POINT } };
  const action = await hands.allowedAfter(click, () => shown('On top'));
  expect(action).toMatchObject({ status: 'failed', effect: 'none', error: { code: 'target_changed' } });
  const evidence = await hands.rig.until('both pictures are kept', async () => {
    const kept = (await asPerson<ActivityDetail>(`activity/${action.actionId}`)).evidence;
    return kept?.length === 2 ? kept : undefined;
  });
  expect(evidence).toMatchObject([
    { role: 'before', mediaType: 'image/jpeg', width: 640, height: 260 },
    { role: 'after', mediaType: 'image/jpeg', width: 640, height: 260 },
  ]);
  for (const { id, sizeBytes } of evidence)
    expect((await asPerson<Uint8Array>(`artifacts/${id}`)).byteLength).toBe(sizeBytes);
});

const asPerson = async <Body>(path: string) => (await hands.person.call<Body>(`/${path}`)).body;

describe.each(CHANGES)('a window that is %s', (_how, change) => {
  test('between the look and the submission makes the frame stale, and nobody gets an event', async () => {
    const window = await shown('Before');
    const { frameId } = await hands.look();
    const other = await change(window);
    const action = await hands.ended(await hands.submit('Click', { frameId, ...POINT }));
    expect(action).toMatchObject({ status: 'failed', effect: 'none', error: { code: 'stale_frame' } });
    expect(await hands.person.prompts()).toEqual([]);
    expect([window.hits, other?.hits ?? []]).toEqual([[], []]);
  });

  test('between the judgement and the click is not clicked, and nobody gets an event', async () => {
    const window = await shown('Before');
    const { frameId } = await hands.look();
    let other: HitWindow | undefined;
    const click = { actionType: 'Click', parameters: { frameId, ...POINT } };
    const action = await hands.allowedAfter(click, async () => {
      other = await change(window);
    });
    expect(action).toMatchObject({ status: 'failed', effect: 'none', error: { code: expect.stringMatching(CHANGED) } });
    expect([window.hits, other?.hits ?? []]).toEqual([[], []]);
  });
});

const CHANGED = /^(?:target_changed|target_gone)$/;

test('N1: a window that stays as it was gets the click, once and at the point', async () => {
  const window = await shown('Steady');
  const { frameId } = await hands.look();
  const action = await hands.allowedAfter(
    { actionType: 'Click', parameters: { frameId, ...POINT } },
    async () => undefined,
  );
  expect(action).toMatchObject({ status: 'success', data: { delivered: 'yes' } });
  expect(window.presses()).toMatchObject([POINT]);
  await hands.rig.ask('xdotool', 'mousemove', String(AWAY.x), String(AWAY.y));
});

test.each([
  ['TypeText', { text: 'rm -rf ~' }],
  ['PressKeys', { keys: 'enter' }],
])('%s sends nothing to a window that took the keyboard since it was judged', async (actionType, parameters) => {
  const window = await shown('Meant');
  let thief: HitWindow | undefined;
  const action = await hands.allowedAfter({ actionType, parameters }, async () => {
    thief = await shown('Thief', { x: 900, y: 200, width: 300, height: 200 });
    const { id } = thief;
    await hands.rig.until('the thief has the keyboard', async () => (await hands.rig.activeWindow())?.id === id);
  });
  expect(action).toMatchObject({ status: 'failed', effect: 'none', error: { code: 'target_changed' } });
  expect([window.hits, thief?.hits]).toEqual([[], []]);
});

test('text goes to the window that had the keyboard when it was judged, and still has it', async () => {
  const window = await shown('Meant');
  const action = await hands.allowedAfter(
    { actionType: 'TypeText', parameters: { text: 'ab' } },
    async () => undefined,
  );
  expect(action).toMatchObject({ status: 'success', data: { delivered: 'yes', typedCharacters: 2 } });
  expect(window.hits.filter(({ name }) => name === 'KeyPress')).toHaveLength(2);
});
