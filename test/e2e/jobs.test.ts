import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRig } from '../desktop/rig.ts';
import { type Console, type RunningDaemon, startDaemonProcess } from './daemon.ts';
import { type Cost, fillForm, tidyFolder, writeLetter } from './jobs.ts';

/** Three everyday jobs. What each costs a person in prompts and a model in calls is part of the test. */
const rig = await startRig({ width: 1280, height: 800 });
let daemon: RunningDaemon;
let person: Console;

beforeAll(async () => {
  daemon = await startDaemonProcess({ ...rig.env, HANDRAIL_RATE_LIMITS: 'off' });
  await rig.until('the agent is online', async () => (await daemon.health()).body.checks.agent === 'online');
  person = await daemon.signIn();
});
afterAll(async () => {
  await daemon.stop();
  await rig.close();
});

const countsOf = ({ calls, prompts, errors }: Cost) => ({ calls, prompts, errors });

test('a form in a browser takes eleven calls and two prompts: the access, and the order that is sent', async () => {
  const { orders, end, cost } = await fillForm({ daemon, person, rig });
  expect(orders).toEqual(['name=Ann+Lee&street=1+Main+St&city=Ghent&size=Large&amount=3&gift=on']);
  expect(end).toContain('Thank you');
  expect(countsOf(cost)).toEqual({
    calls: 11,
    prompts: [
      expect.stringContaining('Click and type in “Chromium Web Browser” on 127.0.0.1'),
      'Click on the button “Send order” of “Chromium Web Browser”',
    ],
    errors: [],
  });
});

test('a letter in an editor takes seven calls and one prompt', async () => {
  const text = 'Dear Ben,\nthe meeting is on Tuesday at ten.\nAnn';
  const { saved, cost } = await writeLetter({ daemon, person, rig }, text);
  expect(saved.trimEnd()).toBe(text);
  expect(countsOf(cost)).toEqual({ calls: 7, prompts: ['Click and type in “Mousepad” for 10 minutes'], errors: [] });
});

test('a folder is tidied with two calls and two prompts', async () => {
  const { told, names, cost } = await tidyFolder({ daemon, person, rig });
  expect(names).toEqual(['2026-a.txt', '2026-b.txt', 'list.csv']);
  expect(told).toContain('2026-a.txt');
  expect(countsOf(cost)).toEqual({
    calls: 2,
    prompts: [expect.stringContaining('List the files in'), 'Approve 5 of 5 steps'],
    errors: [],
  });
});
