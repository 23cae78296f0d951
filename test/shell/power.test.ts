import type { PowerMonitor } from 'electron';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { type PowerEvents, watchPower } from '../../src/desktop/power.ts';
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
] as const)('between %s and %s a prompt expires and nothing is done', async (leave, comeBack) => {
  const { actionId } = await rig.submit(screenshot);
  power.fire(leave);
  expect(await rig.action(actionId)).toMatchObject({ status: 'expired' });
  expect(await rig.prompts()).toEqual([]);
  expect(await rig.submit({ actionType: 'Wait', parameters: { durationMs: 0 } })).toMatchObject({ code: 'paused' });
  power.fire(comeBack);
  expect(await rig.submit({ actionType: 'Wait', parameters: { durationMs: 0 } })).toMatchObject({ status: 'success' });
  expect(rig.ledger().filter((line) => line.includes('"capture"'))).toEqual([]);
});
