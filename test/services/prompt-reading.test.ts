import { expect, test } from 'vitest';
import type { Confirmation, PlanStep } from '../../src/contract/console.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import { promptLength } from '../../src/services/confirmations/prompt-length.ts';
import type { Store } from '../../src/store/store.ts';
import { type Rig, startServices } from './rig.ts';

const SECRET = 'the words of a secret';

test('a report that a prompt is shown records its length and how it was read, and none of its words', async () => {
  const rig = startServices();
  const { id, shown } = await asked(rig);
  rig.services.console.confirmations.shown(id, { openedToEnd: true, onScreenMs: 4_200 });
  const [event] = shown();
  expect(event).toEqual({
    delayMs: 1_000,
    characters: promptLength(prompt(rig)),
    openedToEnd: true,
    onScreenMs: 4_200,
  });
  expect(JSON.stringify(rig.store.journal.readAfter(0, 1_000))).not.toContain(SECRET);
  const [answer] = answersAfter(rig, id);
  expect(answer).toMatchObject({ characters: event?.characters, tookMs: 4_200 + 3_000, wasOpenedToEnd: true });
});

test('a report without particulars is taken, as from a page of before', async () => {
  const rig = startServices();
  const { id, shown } = await asked(rig);
  rig.services.console.confirmations.shown(id);
  expect(shown()).toEqual([{ delayMs: 1_000, characters: promptLength(prompt(rig)) }]);
  const [answer] = answersAfter(rig, id);
  expect(answer).toMatchObject({ tookMs: 3_000, wasOpenedToEnd: null });
});

test('the length is recorded once, and the latest report says how long the prompt was on screen', async () => {
  const rig = startServices();
  const { id, shown } = await asked(rig);
  rig.services.console.confirmations.shown(id, { openedToEnd: false, onScreenMs: 100 });
  rig.clock.advance(10_000);
  rig.services.console.confirmations.shown(id, { openedToEnd: true, onScreenMs: 900 });
  expect(shown().map(({ characters }) => characters === undefined)).toEqual([false, true]);
  const [answer] = answersAfter(rig, id);
  expect(answer).toMatchObject({ tookMs: 900 + 3_000, wasOpenedToEnd: true });
});

test('a longer reason and longer arguments make a prompt longer by as much', async () => {
  const rig = startServices();
  await asked(rig);
  const whole = prompt(rig);
  const longer = { ...whole.prompt, reason: `${whole.prompt.reason}!!!`, arguments: `${whole.prompt.arguments}  ` };
  expect(promptLength({ kind: 'action', prompt: longer }) - promptLength(whole)).toBe(5);
});

test('the length of a plan counts every text of a step that needs approval, and only the sentence of other steps', async () => {
  const rig = startServices();
  await asked(rig);
  const whole = prompt(rig);
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
    risk: { level: 'medium', reasons: ['Why.'] },
    history: 'First time',
    maxAttempts: 1,
  };
  const lengthWith = (...steps: PlanStep[]) =>
    promptLength({ kind: 'plan', prompt: whole.prompt, plan: { taskId: 'tsk_1', steps } });
  const lengthOf = (one: PlanStep) => lengthWith(one) - lengthWith();
  expect(lengthOf(step)).toBe('Open itWhy.{"a":1}A window.DeskFirst time'.length);
  expect(lengthOf({ ...step, consent: 'later' })).toBe('Open it{"a":1}'.length);
  expect(lengthOf({ ...step, consent: 'none' })).toBe('Open it'.length);
});

test('the length counts every text of the prompt, the script and the program that made the connection among them', async () => {
  const rig = startServices();
  await asked(rig);
  const whole = prompt(rig);
  const script = { language: 'bash', text: 'ls', reads: [], writes: [], network: [], noticedCut: false } as const;
  const noticed = [{ words: 'Lists.', lines: [1] }];
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
  const grown = (more: Partial<Confirmation['prompt']>) =>
    promptLength({ kind: 'action', prompt: { ...whole.prompt, ...more } }) - promptLength(whole);
  expect(grown({ script: { ...script, noticed } as never })).toBe('lsLists.'.length);
  expect(grown({ window: 'A window' })).toBe('A window'.length);
  expect(grown({ task: { name: 'Task', step: 1, of: 2, alsoAsks: ['Wait (b)'] } })).toBe('TaskWait (b)'.length);
  const { requester } = whole.prompt;
  const before = requester.program.kind === 'unknown' ? requester.program.because : '';
  expect(grown({ requester: { ...requester, program } })).toBe('sh/shpython/python/a.py'.length - before.length);
});

function prompt(rig: Rig): Confirmation {
  const [first] = rig.services.console.confirmations.list();
  if (first === undefined) throw new Error('expected a prompt');
  return first;
}

async function asked(rig: Rig) {
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: {}, reason: SECRET });
  const shown = () => ofKind(rig.store, 'confirmation.shown');
  return { id: prompt(rig).id, shown };
}

function ofKind(store: Store, kind: string) {
  return store.journal.readAfter(0, 1_000).flatMap((row) => (row.kind === kind ? [row.metadata ?? {}] : []));
}

/** Allows the prompt three seconds after it can be, and reads the answers. */
function answersAfter(rig: Rig, id: string) {
  rig.clock.advance(4_000);
  const { nonce, actionDigest } = prompt(rig);
  expect(rig.services.console.confirmations.decide(id, { decision: 'allow', nonce, actionDigest })).not.toHaveProperty(
    'refused',
  );
  return rig.store.evidence.answers({ afterMs: 0, limit: 10 });
}
