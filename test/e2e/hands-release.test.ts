import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { heldDown } from '../desktop/held.ts';
import { type Hit, showHits } from '../desktop/hits.ts';
import { shareHands } from './shared.ts';

/** Input that is broken off in the middle, by the real agent on a real desktop. What is down is asked of the server by another program. */
const AREA = { x: 200, y: 150, width: 900, height: 600 };
const hands = await shareHands();
const window = await showHits(hands.rig, { title: 'Hits', area: AREA });
afterAll(window.end);

beforeEach(async () => {
  await hands.daemon.agentOnline();
  await hands.rig.until('the window has the keyboard', async () => (await hands.rig.activeWindow())?.id === window.id);
  await hands.rig.ask('xdotool', 'mousemove', String(AREA.x + 60), String(AREA.y + 90));
  window.hits.length = 0;
});

const down = () => heldDown(hands.rig.ask);

function nothingIsDown(): Promise<boolean> {
  return hands.rig.until('nothing is down', async () => (await down()).length === 0);
}

/** Resolves as soon as the window has seen the first of these. */
function first(name: Hit['name']): Promise<Hit> {
  return hands.rig.until(`the window has seen ${name}`, () => window.hits.find((hit) => hit.name === name), 20_000, 1);
}

const ENDS: Record<string, (action: Action) => Promise<unknown>> = {
  'kill -9 of the agent': async () => process.kill(await hands.daemon.agentPid(), 'SIGKILL'),
  'a cancel': ({ actionId }) =>
    hands.daemon.call(`/api/tee/actions/${actionId}/cancel`, { method: 'POST', userId: 'ann' }),
  'the stop of everything': () => hands.person.call('/pause', { method: 'POST' }),
  "the person's own hand": hands.rig.touchByPerson,
  'its time-out': async () => undefined,
};

const CHORD = { actionType: 'PressKeys', parameters: { keys: 'ctrl+shift+f9', holdMs: 5_000 }, sign: 'KeyPress' };
const DRAG = {
  actionType: 'Drag',
  parameters: { from: { x: 300, y: 300 }, to: { x: 900, y: 600 } },
  sign: 'ButtonPress',
};
const TEXT = { actionType: 'TypeText', parameters: { text: 'a'.repeat(10_000) }, sign: 'KeyPress' };

async function broken({ actionType, parameters, sign }: typeof CHORD | typeof DRAG | typeof TEXT, how: string) {
  const timeoutMs = how === 'its time-out' ? 1_500 : 30_000;
  const action = await hands.submit(actionType, parameters, { timeoutMs });
  await hands.person.answer('allow');
  await Promise.race([first(sign), hands.ended(action).then((ended) => endedBefore(ended, sign))]);
  await ENDS[how]?.(action);
  const ended = await hands.ended(action);
  await hands.person.call('/resume', { method: 'POST' });
  return ended;
}

async function endedBefore(action: Action, sign: string): Promise<void> {
  // It may end by itself just after its first event.
  if (!window.hits.some(({ name }) => name === sign))
    throw new Error(`nothing was seen of it: ${JSON.stringify(action)}`);
}

test.each(Object.keys(ENDS))('%s in the middle of a chord leaves no key down', async (how) => {
  const ended = await broken(CHORD, how);
  await nothingIsDown();
  const told = how.startsWith('kill') ? { delivered: 'unknown' } : { delivered: 'yes' };
  expect(ended).toMatchObject({ data: { ...told, safeToRepeat: false } });
  const presses = window.hits.filter(({ name }) => name === 'KeyPress').map(({ detail }) => detail);
  const releases = window.hits.filter(({ name }) => name === 'KeyRelease').map(({ detail }) => detail);
  expect(releases.toSorted()).toEqual(presses.toSorted());
});

test.each(Object.keys(ENDS).filter((how) => how !== 'its time-out'))(
  '%s in the middle of a drag leaves no button down',
  async (how) => {
    await broken(DRAG, how);
    await nothingIsDown();
    await hands.rig.until('the window has seen the release', () =>
      window.hits.some(({ name, detail }) => name === 'ButtonRelease' && detail === 1),
    );
  },
);

test.each(["the person's own hand", 'a cancel', 'the stop of everything'])(
  '%s ends typing, and the answer says how many characters were typed',
  async (how) => {
    const ended = await broken(TEXT, how);
    await nothingIsDown();
    expect(ended).toMatchObject({ data: { delivered: 'yes', safeToRepeat: false } });
    const told = Number(/(\d+) characters were typed\./u.exec(JSON.stringify(ended))?.[1]);
    expect(told).toBeLessThan(10_000);
    const typed = () => window.hits.filter(({ name }) => name === 'KeyPress').length;
    // The window tells its keys by a pipe, which may be behind the answer.
    await hands.rig.until('the window has seen the keys that were told', () => typed() >= told);
    expect(typed()).toBe(told);
  },
);

/** Keys are sent in groups of at most twenty, and each group waits for the events of the one before. */
const MOST_AFTER_HAND = 60;

test("typing ends a few keys after the person's hand", async () => {
  expect(await broken(TEXT, "the person's own hand")).toMatchObject({ error: { code: 'interrupted_by_person' } });
  const place = () => window.hits.findIndex(({ name }) => name === 'ButtonPress');
  await hands.rig.until("the window has seen the person's hand", () => place() >= 0);
  const touched = place();
  const after = window.hits.slice(touched).filter(({ name }) => name === 'KeyPress').length;
  expect([touched >= 0, after <= MOST_AFTER_HAND]).toEqual([true, true]);
});

test('a window that takes the keyboard in the middle of a text ends the typing', async () => {
  const action = await hands.submit(TEXT.actionType, TEXT.parameters);
  await hands.person.answer('allow');
  await first('KeyPress');
  const thief = await showHits(hands.rig, { title: 'Thief', area: { x: 1_200, y: 150, width: 300, height: 200 } });
  const ended = await hands.ended(action);
  const [typed, strayed] = [window, thief].map(({ hits }) => hits.filter(({ name }) => name === 'KeyPress').length);
  await thief.end();
  expect(ended).toMatchObject({ error: { code: 'target_changed' }, data: { delivered: 'yes', safeToRepeat: false } });
  const [, told] = /^Another window took the keyboard\. (\d+) characters were typed\.$/.exec(ended.details) ?? [];
  // Between two windows the server gives a key to nobody.
  expect(Number(told) - Number(typed) - Number(strayed)).toBeGreaterThanOrEqual(0);
  expect(Number(told) - Number(typed)).toBeLessThanOrEqual(40);
  // What is under way to the server comes to the window that has the keyboard then.
  expect(strayed).toBeLessThanOrEqual(20);
});
