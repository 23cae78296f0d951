import { expect } from 'vitest';
import type { Confirmation, PlanStep } from '../../src/contract/console.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import type { ContentsView } from '../../src/contract/scripts.ts';
import { promptLength } from '../../src/services/confirmations/prompt-length.ts';
import type { Store } from '../../src/store/store.ts';
import { decide, firstPrompt } from './answers.ts';
import { type Rig, startServices, test } from './rig.ts';

const SECRET = 'the words of a secret';

test('a report that a prompt is shown records its length and how it was read, and none of its words', async () => {
  const rig = startServices();
  const { id, shown } = await asked(rig);
  rig.services.console.confirmations.shown(id, { openedToEnd: true, onScreenMs: 4_200 });
  const [event] = shown();
  expect(event).toEqual({
    delayMs: 1_000,
    characters: promptLength(firstPrompt(rig)),
    openedToEnd: true,
    onScreenMs: 4_200,
  });
  expect(JSON.stringify(rig.store.journal.readAfter(0, 1_000))).not.toContain(SECRET);
  const [answer] = answersAfter(rig, id);
  expect(answer).toMatchObject({ characters: event?.characters, tookMs: 4_200 + 3_000, wasOpenedToEnd: true });
});

test('a report without particulars is taken, as from a page of before', async ({ rig }) => {
  const { id, shown } = await asked(rig);
  rig.services.console.confirmations.shown(id);
  expect(shown()).toEqual([{ delayMs: 1_000, characters: promptLength(firstPrompt(rig)) }]);
  const [answer] = answersAfter(rig, id);
  expect(answer).toMatchObject({ tookMs: 3_000, wasOpenedToEnd: null });
});

test('the length is recorded once, and the latest report says how long the prompt was on screen', async ({ rig }) => {
  const { id, shown } = await asked(rig);
  rig.services.console.confirmations.shown(id, { openedToEnd: false, onScreenMs: 100 });
  rig.clock.advance(10_000);
  rig.services.console.confirmations.shown(id, { openedToEnd: true, onScreenMs: 900 });
  expect(shown().map(({ characters }) => characters === undefined)).toEqual([false, true]);
  const [answer] = answersAfter(rig, id);
  expect(answer).toMatchObject({ tookMs: 900 + 3_000, wasOpenedToEnd: true });
});

test('the length counts what is shown before anything is opened: who asks, the sentence and the dangers', async () => {
  const rig = startServices();
  await asked(rig);
  const { requester, sentence, risk } = firstPrompt(rig).prompt;
  const because = requester.program.kind === 'unknown' ? requester.program.because : '';
  expect(promptLength(firstPrompt(rig))).toBe(
    [requester.userId, because, requester.before, sentence, ...risk.reasons].join('').length,
  );
  const words = { reason: 'why', history: 'before', changes: 'more', window: 'w', control: 'c' };
  expect(await grownBy({ ...words, arguments: '{"a":"b"}' })).toBe(0);
});

test('the length counts arguments that may hold more than the sentence says, and not beside a text that they hold', async () => {
  const long = JSON.stringify({ value: 'x'.repeat(400) });
  expect(await grownBy({ arguments: long })).toBe(long.length);
  expect(await grownBy({ arguments: long, contents: { ...CONTENTS, text: 'the text' } })).toBe('the text'.length);
});

test('the length counts the text of a script, with the variables that it sets, and each danger in it once', async () => {
  const noticed = [{ words: 'deletes ~/a', lines: [1] }];
  const places = { reads: [], writes: [], network: [] };
  const script = { language: 'bash', text: 'rm ~/a', environment: ['A=1'], ...places, noticed, noticedCut: false };
  const sentence = 'Run a bash script. Handrail noticed: deletes ~/a (line 1)';
  const grown = await grownBy({ script, sentence, risk: { level: 'medium', reasons: [] } });
  const { prompt: before } = firstPrompt(await askedRig());
  const shown = 'A=1' + 'rm ~/a' + 'Deletes ~/a' + 'line 1' + 'Run a bash script';
  expect(grown).toBe(shown.length - [before.sentence, ...before.risk.reasons].join('').length);
});

test('the length counts the lines of an overwritten file that change', async () => {
  const contents = { ...CONTENTS, text: 'same\nnew line\nend', former: 'same\nold\nend' };
  expect(await grownBy({ contents })).toBe('new line\nold'.length);
});

test('the length counts the program that made the connection', async () => {
  const changedFrom = { pid: 1, name: 'python', path: '/python', script: '/a.py' };
  const program: CallingProgram = {
    kind: 'program',
    uid: 1,
    pid: 1,
    name: 'sh',
    path: '/sh',
    startedBy: [],
    changedFrom,
  };
  const { requester } = firstPrompt(await askedRig()).prompt;
  const before = requester.program.kind === 'unknown' ? requester.program.because : '';
  expect(await grownBy({ requester: { ...requester, program } })).toBe(
    'sh/shpython/python/a.py'.length - before.length,
  );
});

test('the length of a plan counts the line of each step, and the text that must be opened below it', async () => {
  const whole = firstPrompt(await askedRig());
  const step: PlanStep = {
    id: 'a',
    consent: 'asked',
    actionType: 'OpenApp',
    targetDeviceId: 'dev_1',
    device: 'Desk',
    dependsOn: [],
    sentence: 'Open it',
    arguments: '{"a":1}',
    changes: 'A window.',
    risk: { level: 'low', reasons: ['Why.'] },
    history: 'First time',
    maxAttempts: 1,
  };
  const lengthWith = (...steps: PlanStep[]) =>
    promptLength({ kind: 'plan', prompt: whole.prompt, plan: { taskId: 'tsk_1', steps } });
  const lengthOf = (one: PlanStep) => lengthWith(one) - lengthWith();
  expect(lengthOf(step)).toBe('Open it'.length);
  expect(lengthOf({ ...step, consent: 'none' })).toBe('Open it'.length);
  const contents = { ...CONTENTS, text: 'the text' };
  expect(lengthOf({ ...step, contents })).toBe('Open it'.length + 'the text'.length);
  expect(lengthOf({ ...step, contents, consent: 'blocked' })).toBe('Open it'.length);
});

const CONTENTS: Omit<ContentsView, 'text'> = {
  source: 'parameters',
  isWhole: true,
  isText: true,
  sizeBytes: 1,
  noticed: [],
  noticedCut: false,
};

/** By how much facts make the prompt of a screenshot longer. */
async function grownBy(more: Partial<Confirmation['prompt']>): Promise<number> {
  const whole = firstPrompt(await askedRig());
  return promptLength({ kind: 'action', prompt: { ...whole.prompt, ...more } }) - promptLength(whole);
}

async function askedRig(): Promise<Rig> {
  const rig = startServices();
  await asked(rig);
  return rig;
}

async function asked(rig: Rig) {
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: {}, reason: SECRET });
  const shown = () => ofKind(rig.store, 'confirmation.shown');
  return { id: firstPrompt(rig).id, shown };
}

function ofKind(store: Store, kind: string) {
  return store.journal.readAfter(0, 1_000).flatMap((row) => (row.kind === kind ? [row.metadata ?? {}] : []));
}

/** Allows the prompt three seconds after it can be, and reads the answers. */
function answersAfter(rig: Rig, id: string) {
  rig.clock.advance(4_000);
  expect(decide(rig, 'allow', {}, { ...firstPrompt(rig), id })).not.toHaveProperty('refused');
  return rig.store.evidence.answers({ afterMs: 0, limit: 10 });
}
