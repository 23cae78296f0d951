import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/contract/run.ts';
import type { Task } from '../../src/contract/task.ts';
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
      expect.stringMatching(/^Click on the button “Send order” on 127\.0\.0\.1:\d+$/u),
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
    prompts: [
      expect.stringContaining('List the files in'),
      expect.stringMatching(/^Rename 2 items, trash 1 item, create 1 file and 1 other step, all in .*Reports$/u),
    ],
    errors: [],
  });
});

test('afterwards the log tells what was sent, typed, saved, moved and trashed, where, and what the person allowed', async () => {
  const headers = { origin: daemon.base, authorization: `Bearer ${person.key}` };
  const read = async <Item>(path: string) =>
    (await daemon.call<{ items: Item[] }>(`/api/console/${path}`, { headers })).body.items;
  const runs = await read<Run>('runs?limit=50');
  const [task] = await read<Task>('tasks?limit=50');
  // The time of a run has the person's answer in it, also where it was given before the first action.
  expect(runs.find(({ taskId }) => taskId !== undefined)).toMatchObject({
    taskId: task?.taskId,
    startedAt: task?.createdAt,
    isPlanAllowed: true,
  });
  const told = runs.flatMap(({ userId, effects }) =>
    effects.map(({ place, did }) => [userId, place.replace(/\d+$/u, 'PORT').replace(/^.*(?=\/)/u, ''), did]),
  );
  expect(told).toEqual([
    [
      'mcp:folder',
      '/Reports',
      [
        'renamed “a.txt” to “2026-a.txt” and “b.txt” to “2026-b.txt”',
        'put “old.tmp” into the trash',
        'created “list.csv”',
      ],
    ],
    ['mcp:letter', '/Letters', ['saved “Ben.txt”']],
    [
      'mcp:letter',
      'Mousepad',
      [
        'pressed Ctrl+S in “*Untitled 1 - Mousepad”',
        expect.stringMatching(/^typed \d+ characters$/u),
        'opened the app',
      ],
    ],
    ['mcp:form', '127.0.0.1:PORT', ['clicked “Send order” (you allowed)', 'filled 6 fields']],
  ]);
  for (const [words, sentence] of [
    ['send order', /^Click on the button “Send order” on 127\.0\.0\.1:\d+$/u],
    ['ben.txt saves', /which saves “Ben\.txt” in /u],
    ['old.tmp', /^Move “old\.tmp” in .*\/Reports to the trash$/u],
  ] as const) {
    const found = await read<{ sentence?: string }>(`activity?${new URLSearchParams({ text: words })}`);
    expect(found.map((each) => each.sentence)).toContainEqual(expect.stringMatching(sentence));
  }
});
