import { setImmediate } from 'node:timers/promises';
import type { PowerMonitor } from 'electron';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { watchPower } from '../../src/electron/shell.ts';
import type { PowerEvents } from '../../src/electron/surface.ts';
import { PATIENCE } from '../runner/patience.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { createFakePower } from './fake-electron.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

let rig: DaemonInProcess;
let power: ReturnType<typeof createFakePower>;

beforeAll(async () => {
  rig = await startDaemonInProcess();
  power = createFakePower();
  watchPower(power, rig.daemon);
});
afterAll(() => rig.end());

test('what electron has fits the watch', () => {
  expectTypeOf<PowerMonitor>().toExtend<PowerEvents>();
});

test.each([
  ['lock-screen', 'unlock-screen'],
  ['suspend', 'resume'],
  ['user-did-resign-active', 'user-did-become-active'],
] as const)('between %s and %s a prompt expires and nothing is done', async (leave, comeBack) => {
  const { actionId } = await rig.submit(screenshot);
  power.fire(leave);
  await expect.poll(() => rig.action(actionId), PATIENCE).toMatchObject({ status: 'expired' });
  expect(await rig.prompts()).toEqual([]);
  expect(await rig.submit({ actionType: 'Wait', parameters: { durationMs: 0 } })).toMatchObject({ code: 'paused' });
  power.fire(comeBack);
  expect(await rig.submit({ actionType: 'Wait', parameters: { durationMs: 0 } })).toMatchObject({ status: 'success' });
  expect(rig.ledger().filter((line) => line.includes('"capture"'))).toEqual([]);
});

/** What the daemon is told, in order. */
function toldBy(watched: ReturnType<typeof createFakePower>): string[] {
  const told: string[] = [];
  watchPower(watched, { screen: (change) => void told.push(change) });
  return told;
}

test.each([
  ['locked', ['locked']],
  ['active', []],
  ['idle', []],
  ['unknown', []],
] as const)('a screen that is %s at the start is told as %j', (idleState, expected) => {
  expect(toldBy(createFakePower(idleState))).toEqual(expected);
});

describe('the answer of macOS about the start', () => {
  const answer = Promise.withResolvers<{ locked: boolean; otherUser: boolean } | undefined>();
  const told: string[] = [];
  const late = createFakePower();
  const early = createFakePower();
  const note = { screen: (change: string) => void told.push(change) };

  test('counts when it comes, and the matching event ends it', async () => {
    watchPower(late, note, async () => ({ locked: true, otherUser: true }));
    await setImmediate();
    late.fire('unlock-screen');
    expect(told).toEqual(['locked']);
    late.fire('user-did-become-active');
    expect(told.splice(0)).toEqual(['locked', 'unlocked']);
  });

  test('counts no longer when an event has told more', async () => {
    watchPower(early, note, () => answer.promise);
    early.fire('unlock-screen');
    answer.resolve({ locked: true, otherUser: false });
    await setImmediate();
    expect(told).toEqual([]);
  });

  test('may be that macOS does not tell', async () => {
    watchPower(createFakePower(), note, async () => undefined);
    await setImmediate();
    expect(told).toEqual([]);
  });
});

test('a screen that is locked at the start is unlocked by the first unlock', () => {
  const watched = createFakePower('locked');
  const told = toldBy(watched);
  watched.fire('unlock-screen');
  expect(told).toEqual(['locked', 'unlocked']);
});

test('the screen counts as unlocked only when the person is back and has unlocked it', () => {
  const watched = createFakePower();
  const told = toldBy(watched);
  for (const event of ['user-did-resign-active', 'lock-screen', 'user-did-become-active', 'unlock-screen'] as const)
    watched.fire(event);
  expect(told).toEqual(['locked', 'unlocked']);
});
