import { expect } from 'vitest';
import { statusOf } from '../../../renderer/src/activity/activity-words.ts';
import type { ListedAction } from '../../../src/contract/activity.ts';
import type { Run } from '../../../src/contract/run.ts';
import type { Control } from '../../../src/contract/screen.ts';
import { DENIAL_HELD_MS } from '../../../src/contract/times.ts';
import type { Deed } from '../../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../../src/domain/catalogue.ts';
import { effectsOf } from '../../../src/services/console/runs.ts';
import { decide, hold, show } from '../answers.ts';
import { control, submitOn } from '../hands.ts';
import { parsedPage } from '../page-items.ts';
import { done, type Rig, startServices, test } from '../rig.ts';
import { answerStep, settle, submittedTask } from '../tasks-rig.ts';

const CHROMIUM = { appName: 'Chromium', bundleId: 'chromium', alsoKnownAs: ['chromium'], risks: [] };
const ORDER = 'http://127.0.0.1:8765/order';
const onPage = (overrides: Partial<Control>) =>
  control({ app: CHROMIUM, windowTitle: 'Order form', url: ORDER, documents: [ORDER], ...overrides });
const EDITOR = control({ role: 'textbox', name: '', isEditable: true, windowTitle: 'letter.md - Mousepad' });

function answerAs(rig: Rig, decision: 'allow' | 'deny'): void {
  show(rig, 3_000);
  hold(rig);
  expect(decide(rig, decision, { presence: 'hold' })).not.toHaveProperty('refused');
  rig.clock.advance(DENIAL_HELD_MS);
}

/** ann typed a letter and pressed ctrl+s, sent an order, and was denied the deletion of an account. The person was asked each time. */
async function afterTwoJobs(): Promise<Rig> {
  const rig = startServices();
  const dones = [
    [{ actionType: 'TypeText', parameters: { text: 'Dear Ann, see you at ten.' } }, EDITOR],
    [{ actionType: 'PressKeys', parameters: { keys: 'ctrl+s' } }, EDITOR],
    [{ actionType: 'Click', parameters: { elementId: 'e1' } }, onPage({ name: 'Send order' })],
  ] as const;
  for (const [body, found] of dones) {
    await submitOn(rig, { ...body, parameters: { ...body.parameters } }, [found]);
    answerAs(rig, 'allow');
    await rig.agent.answer(done());
  }
  await submitOn(rig, { actionType: 'Click', parameters: { elementId: 'e1' } }, [onPage({ name: 'Delete account' })]);
  answerAs(rig, 'deny');
  return rig;
}

async function listed(rig: Rig, text?: string): Promise<ListedAction[]> {
  const filters = text === undefined ? {} : { text };
  return (await parsedPage(rig.services.console.activity.list(filters, { limit: 50 }))).items;
}

async function runsOf(rig: Rig): Promise<Run[]> {
  return (await parsedPage(rig.services.console.runs.list({}, { limit: 50 }))).items;
}

test('a row of the log is the sentence that the person was shown, also of what was denied', async () => {
  const rig = await afterTwoJobs();
  expect((await listed(rig)).map(({ sentence }) => sentence)).toEqual([
    'Click on the button “Delete account” on 127.0.0.1:8765',
    'Click on the button “Send order” on 127.0.0.1:8765',
    'Press “ctrl+s” in a textbox without a name of “Mousepad”',
    'Type “Dear Ann, see you at ten.” into a textbox without a name of “Mousepad”',
  ]);
});

test.each([
  ['Send order', 1],
  ['SEND 8765', 1],
  ['127.0.0.1:8765', 2],
  ['letter.md', 1],
  ['delete account', 1],
  ['mousepad', 2],
  ['ann click', 2],
  ['click mousepad', 0],
])('search for %j finds words of the sentence, the place, the window and the requester', async (text, count) => {
  expect(await listed(await afterTwoJobs(), text)).toHaveLength(count);
});

test('no requester reads the sentence of the person', async () => {
  const rig = await afterTwoJobs();
  const own = await rig.services.actions.list('ann', {}, { limit: 50 });
  expect(JSON.stringify(own)).not.toContain('sentence');
});

test('a run tells what it did by place, and what the person allowed, and leaves out what was denied', async () => {
  const rig = await afterTwoJobs();
  const [run] = await runsOf(rig);
  expect(run?.effects).toEqual([
    { place: '127.0.0.1:8765', did: ['clicked “Send order” (you allowed)'] },
    {
      place: 'Mousepad',
      did: ['pressed Ctrl+S in “letter.md - Mousepad” (you allowed)', 'typed 25 characters (you allowed)'],
    },
  ]);
});

test('the words are forgotten with the parameters of the action', async () => {
  const rig = await afterTwoJobs();
  const ids = (await listed(rig)).map(({ actionId }) => actionId);
  rig.store.write('relaxed', () => rig.store.actions.forgetContents(ids, rig.clock.nowMs() + 1));
  expect((await listed(rig)).map(({ sentence }) => sentence)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await listed(rig, 'letter.md')).toEqual([]);
});

test('many things of one kind are counted, and those that the person allowed are named', () => {
  const at = { place: '/data/Reports', isAllowed: false };
  const moved = ['a.csv', 'b.csv', 'c.csv', 'd.csv'].map((what) => ({ ...at, did: 'moved' as const, what }));
  const members = [
    ...moved,
    { ...at, did: 'created' as const, what: 'summary.csv' },
    { ...at, did: 'trashed' as const, what: 'old.csv', isAllowed: true },
    { ...at, did: 'trashed' as const, what: 'older.csv' },
  ].map(({ isAllowed, ...what }) => ({ done: what, isAllowed }));
  expect(effectsOf(members)).toEqual([
    {
      place: '/data/Reports',
      did: [
        'put “old.csv” into the trash (you allowed)',
        'moved 4 items',
        'put “older.csv” into the trash',
        'created “summary.csv”',
      ],
    },
  ]);
});

test('things of one kind have their verb once, so none seems to be of another, and a chord and its window are two things', () => {
  const effects = (told: readonly (readonly [did: Deed, what: string, window?: string])[]) =>
    effectsOf(
      told.map(([did, what, window]) => ({
        done: { place: 'Here', did, what, window },
        isAllowed: false,
      })),
    ).flatMap(({ did }) => did);
  expect(
    effects([
      ['moved', 'a.txt'],
      ['moved', 'b.txt'],
      ['trashed', 'old.tmp'],
    ]),
  ).toEqual(['moved “a.txt” and “b.txt”', 'put “old.tmp” into the trash']);
  expect(
    effects([
      ['opened', ''],
      ['opened', 'a.txt'],
      ['pressed', 'ctrl+s', '*Untitled 1 – Mousepad'],
      ['pressed', 'enter'],
      ['pressed', 'enter'],
      ['pressed', 'ctrl+“'],
    ]),
  ).toEqual([
    'pressed Ctrl+S in “*Untitled 1 – Mousepad”',
    'pressed Enter 2 times and “ctrl+\\u{201c}”',
    'opened the app',
    'opened “a.txt”',
  ]);
});

test('a new name in the same folder is told as that, and many of them are counted', async () => {
  const renamed = (from: string, to: string) => {
    const found = CATALOGUE.get('MoveFile')?.assess({ from: `/r/${from}`, to });
    if (found?.ok !== true) throw new Error('expected an assessment');
    return { done: found.assessment.done, isAllowed: false };
  };
  const didOf = (...members: ReturnType<typeof renamed>[]) => effectsOf(members).map(({ did }) => did);
  expect(didOf(renamed('a', '/r/b'), renamed('c', '/r/d'))).toEqual([['renamed “a” to “b” and “c” to “d”']]);
  expect(didOf(renamed('a', '/r/old/a'), renamed('b', '/s/b'), renamed('c', '/r/d'))).toEqual([
    ['moved “a” to /r/old', 'moved “b” to /s', 'renamed “c” to “d”'],
  ]);
  const moved = ['a', 'b', 'c', 'd'].map((name) => renamed(name, `/r/to (you allowed)/${name}`));
  expect(didOf(...moved)).toEqual([['moved 4 items to “/r/to (you allowed)”']]);
  expect(didOf(...['a', 'b', 'c', 'd'].map((name) => renamed(name, `/r/2026-${name}`)))).toEqual([['renamed 4 items']]);
});

test('what has no name of its own is told in words that can end a sentence', () => {
  const deeds: readonly Deed[] = ['opened', 'quit', 'clicked', 'filled', 'dragged', 'closed'];
  const members = deeds.map((did) => ({ done: { place: 'Mousepad', did, what: '' }, isAllowed: false }));
  expect(effectsOf(members)).toEqual([
    {
      place: 'Mousepad',
      did: [
        'clicked a control without a name',
        'dragged an object without a name',
        'filled a field without a name',
        'opened the app',
        'closed a window without a title',
        'quit the app',
      ],
    },
  ]);
});

test('a run has a denial at once, also while the person can undo it', async ({ rig }) => {
  await submitOn(rig, { actionType: 'Click', parameters: { elementId: 'e1' } }, [onPage({ name: 'Delete account' })]);
  show(rig, 0);
  decide(rig, 'deny', { undoable: true });
  const [row] = await listed(rig);
  expect(row?.status).toBe('awaiting_confirmation');
  expect((await runsOf(rig)).map(({ statuses }) => statuses)).toEqual([[{ status: 'denied', count: 1 }]]);
  rig.clock.advance(DENIAL_HELD_MS);
  expect((await runsOf(rig)).map(({ statuses }) => statuses)).toEqual([[{ status: 'denied', count: 1 }]]);
});

test('a step that asks by itself is denied at once too, in its own row, its run and the words of the page', async () => {
  const rig = startServices();
  const later = { dependsOn: ['look'], parameters: { appName: { $from: 'look.data.app' } } };
  const { taskId } = await submittedTask(rig, [
    { id: 'look', actionType: 'DescribeScreen', parameters: {} },
    { id: 'quit', actionType: 'QuitApp', ...later },
  ]);
  await answerStep(rig, taskId, 'look', done({ data: { app: 'Notes' } }));
  await settle();
  show(rig, 0);
  decide(rig, 'deny', { undoable: true });
  const [row] = await listed(rig);
  expect(row).toMatchObject({ stepId: 'quit', status: 'awaiting_confirmation' });
  expect(row && statusOf(row)).toBe('denied');
  const statuses = [
    { status: 'success', count: 1 },
    { status: 'denied', count: 1 },
  ];
  expect((await runsOf(rig)).map((run) => run.statuses)).toEqual([expect.arrayContaining(statuses)]);
  rig.clock.advance(DENIAL_HELD_MS);
  await settle();
  expect((await listed(rig))[0]).toMatchObject({ stepId: 'quit', status: 'denied' });
  expect((await runsOf(rig)).map((run) => run.statuses)).toEqual([expect.arrayContaining(statuses)]);
});

test('the sentence names each site around a control: a frame of another one, and where a link leads', async () => {
  const rig = startServices();
  const documents = ['https://pay.example/form', ORDER];
  await submitOn(rig, { actionType: 'Click', parameters: { elementId: 'e1' } }, [onPage({ name: 'Next', documents })]);
  const [listedFirst] = await listed(rig);
  expect(listedFirst?.sentence).toBe('Click on the button “Next” on 127.0.0.1:8765, with pay.example');
});

test('what was done on another machine is told apart, behind its name', () => {
  const done = { place: 'Mail', did: 'clicked' as const, what: 'Send' };
  const members = [
    { done, isAllowed: false },
    { done: { ...done, machine: 'studio' }, isAllowed: false },
  ];
  expect(effectsOf(members)).toEqual([
    { place: 'Mail', did: ['clicked “Send”'] },
    { place: 'On studio, Mail', did: ['clicked “Send”'] },
  ]);
});
