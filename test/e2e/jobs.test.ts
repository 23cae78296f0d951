import { chromium } from 'playwright';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { Evidence } from '../../src/contract/action.ts';
import type { ActivityDetail, ListedAction } from '../../src/contract/activity.ts';
import type { Run } from '../../src/contract/run.ts';
import type { Task } from '../../src/contract/task.ts';
import { HEADLESS_SHELL, QUIET } from '../browser/chromium.ts';
import { typeCode } from '../browser/page-rig.ts';
import { type Cost, fillForm, tidyFolder, writeLetter } from './jobs.ts';
import { shareHands } from './shared.ts';

/** Three everyday jobs. What each costs a person in prompts and a model in calls is part of the test. */
const { rig, daemon, person } = await shareHands({}, { width: 1280, height: 800 });

const read = async <Body>(path: string) => (await person.call<Body>(`/${path}`)).body;
const found = async (text: string) =>
  (await read<{ items: ListedAction[] }>(`activity?${new URLSearchParams({ text })}`)).items;

/** The pictures of the click that sent the order. */
async function sendingPictures(): Promise<readonly Evidence[]> {
  const [sent] = await found('clicked send order');
  return sent === undefined ? [] : ((await read<ActivityDetail>(`activity/${sent.actionId}`)).evidence ?? []);
}

const picturesAreKept = () => rig.until('both pictures are kept', async () => (await sendingPictures()).length === 2);

const countsOf = ({ calls, prompts, errors }: Cost) => ({ calls, prompts, errors });

test('a form in a browser takes eleven calls and two prompts: the access, and the order that is sent', async () => {
  const { orders, end, cost } = await fillForm(
    { daemon, person, rig },
    { answersAfterMs: 1_000, sent: picturesAreKept },
  );
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
  expect(names).toEqual(['2025', '2025/q1.csv', '2025/q2.csv', '2025/q3.csv', '2025/q4.csv', 'summary.csv']);
  expect(told).toContain('summary.csv');
  expect(countsOf(cost)).toEqual({
    calls: 2,
    prompts: [
      expect.stringContaining('List the files in'),
      expect.stringMatching(/^Move 4 items, trash 2 items, create 1 file and 1 other step, all in .*Reports$/u),
    ],
    errors: [],
  });
});

test('afterwards the log tells what was sent, typed, saved, moved and trashed, where, and what the person allowed', async () => {
  const { items: runs } = await read<{ items: Run[] }>('runs?limit=50');
  const [task] = (await read<{ items: Task[] }>('tasks?limit=50')).items;
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
        expect.stringMatching(/^moved 4 items to .*\/Reports\/2025$/u),
        'put “draft.tmp” and “old.tmp” into the trash',
        'created “summary.csv”',
      ],
    ],
    ['mcp:letter', '/Letters', ['saved “letter.md”']],
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
    ['letter.md', /which saves “letter\.md” in /u],
    ['old.tmp', /^Move “old\.tmp” in .*\/Reports to the trash$/u],
  ] as const) {
    expect((await found(words)).map((each) => each.sentence)).toContainEqual(expect.stringMatching(sentence));
  }
});

test('the picture before the order shows the form, and the one after it the page that came a second later', async () => {
  const pictures = await sendingPictures();
  expect(pictures.map(({ role }) => role)).toEqual(['before', 'after']);
  const colours = await Promise.all(
    pictures.map(async ({ id }) => (await sharp(await read<Uint8Array>(`artifacts/${id}`)).stats()).dominant),
  );
  expect(colours.map(({ r, g }) => g - r > 20)).toEqual([false, true]);
});

const LOOKS = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
  { width: 420, height: 700, colorScheme: 'light' },
  { width: 420, height: 700, colorScheme: 'dark' },
] as const;

test('on the page Today tells each job at a glance, and one search finds the button, the file, the site and the folder', async () => {
  const browser = await chromium.launch({ executablePath: HEADLESS_SHELL, args: QUIET });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: LOOKS[0] });
  await page.goto(`${daemon.base}/#/activity`);
  await typeCode(page, await person.newCode());
  const today = page.locator('.today');
  await today.nth(2).waitFor();
  const told = (await today.allTextContents()).join('\n');
  for (const words of [
    'clicked “Send order” (you allowed)',
    'saved “letter.md”',
    'moved 4 items to ~/Reports/2025',
    'into the trash',
  ])
    expect(told).toContain(words);
  await expect.poll(() => today.locator('img').count()).toBeGreaterThan(1);
  const site = new URL((await found('send order'))[0]?.sentence?.replace(/^.* on /u, 'http://') ?? '').host;
  for (const words of ['Send order', 'letter.md', site, 'Reports']) {
    await page.getByLabel('Search').fill(words);
    const [first = ''] = words.split(' ');
    await page.getByRole('list', { name: 'Found steps' }).locator('mark.hit', { hasText: first }).first().waitFor();
  }
});
