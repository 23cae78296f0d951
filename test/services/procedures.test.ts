import { expect } from 'vitest';
import type { ProcedureSubmission } from '../../src/contract/procedure.ts';
import type { Control } from '../../src/contract/screen.ts';
import type { Task } from '../../src/contract/task.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { CLICK, control, doneBy, handsOf, MOUSEPAD, submitOn } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, settle, stepsNow, taskNow } from './tasks-rig.ts';

const button = (name: string) => ({ app: 'Mousepad', role: 'button', name });

/** Two clicks; the second one sends, and so asks in every run unless it is named. */
const LETTER: ProcedureSubmission = {
  name: 'Letter',
  parameters: { text: { type: 'text', maxLength: 20 } },
  steps: [
    {
      id: 'type',
      actionType: 'TypeText',
      target: { ...button('Body'), role: 'textbox' },
      parameters: { text: { $parameter: 'text' } },
    },
    { id: 'send', actionType: 'Click', target: button('Send'), parameters: {} },
  ],
  may: { critical: ['send'], minutes: 5 },
};

type Approval = { userId?: string; runs?: number };

function kept(rig: Rig, procedure = LETTER, userId = 'ann') {
  const answer = rig.services.procedures.keep(userId, procedure);
  if (isRefusal(answer)) throw new Error(answer.detail);
  return answer;
}

function approve(rig: Rig, { userId = 'ann', runs = 3 }: Approval = {}) {
  const { digest, name } = rig.services.procedures.list(userId)[0] ?? kept(rig);
  const targetDeviceId = handsOf(rig, userId);
  return rig.services.console.procedures.approve(name, { userId, digest, targetDeviceId, days: 1, runs });
}

function approved(procedure = LETTER, approval?: Approval): Rig {
  const rig = startServices();
  kept(rig, procedure);
  const answer = approve(rig, approval);
  if (isRefusal(answer)) throw new Error(answer.detail);
  return rig;
}

async function run(
  rig: Rig,
  { userId = 'ann', parameters = { text: 'Dear Ben' } as Record<string, unknown>, dryRun = false } = {},
) {
  const body = { procedure: 'Letter', parameters, targetDeviceId: handsOf(rig, userId), ...(dryRun && { dryRun }) };
  return rig.services.procedures.run({ userId, body, waitMs: 0, gone: new AbortController().signal });
}

async function started(rig: Rig): Promise<Task> {
  const answer = await run(rig);
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error(JSON.stringify(answer));
  await settle();
  return answer.task;
}

const body = (overrides: Partial<Control> = {}) =>
  control({ role: 'textbox', name: 'Body', isEditable: true, ...overrides });
const send = (overrides: Partial<Control> = {}) => control({ name: 'Send', ...overrides });

/** The step finds its control and, where it is let through, is done. */
async function step(rig: Rig, taskId: string, id: string, found: Control): Promise<void> {
  await answerLook(rig, found);
  await settle();
  if (stepsNow(rig, taskId)[id] === 'running') await answerStep(rig, taskId, id, done());
  await settle();
}

const prompts = ({ services }: Rig) => services.console.confirmations.list().map(({ prompt }) => prompt.sentence);
const leftOf = ({ services }: Rig) => services.procedures.intents('ann').map(({ runsLeft }) => runsLeft);

test('an approved procedure runs without a prompt, and takes one of its runs', async () => {
  const rig = approved();
  expect(leftOf(rig)).toEqual([3]);
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  await step(rig, taskId, 'send', send());
  expect(taskNow(rig, taskId)).toMatchObject({ name: 'Procedure “Letter”', status: 'success' });
  expect(doneBy(rig).map(({ actionType }) => actionType)).toEqual(['TypeText', 'Click']);
  expect([prompts(rig), leftOf(rig)]).toEqual([[], [2]]);
});

test('a run that names no device runs on the one of its approval; without an approval it has to name one', async () => {
  const rig = startServices();
  kept(rig);
  const gone = new AbortController().signal;
  const submit = () =>
    rig.services.procedures.run({
      userId: 'ann',
      waitMs: 0,
      gone,
      body: { procedure: 'Letter', parameters: { text: 'Dear Ben' } },
    });
  expect(await submit()).toMatchObject({ refused: 'validation_failed' });
  approve(rig);
  const answer = await submit();
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error(JSON.stringify(answer));
  expect(answer.task.steps.map(({ targetDeviceId }) => targetDeviceId)).toEqual([handsOf(rig), handsOf(rig)]);
  expect([prompts(rig), leftOf(rig)]).toEqual([[], [2]]);
});

test('an approval on a device that was removed since offers no run, and another one takes the call that names no device', async () => {
  const rig = approved();
  const capabilities = { canControlInput: true };
  const { device } = rig.services.devices.register('ann', { type: 'linux', name: 'Another one', capabilities });
  const { digest } = kept(rig);
  const approval = { userId: 'ann', digest, targetDeviceId: device.id, days: 1, runs: 3 };
  expect(rig.services.console.procedures.approve('Letter', approval)).not.toHaveProperty('refused');
  rig.services.devices.remove('ann', device.id);
  expect(rig.services.procedures.intents('ann').map((each) => each.targetDeviceId)).toEqual([handsOf(rig)]);
  const body = { procedure: 'Letter', parameters: { text: 'Dear Ben' } };
  const gone = new AbortController().signal;
  expect(await rig.services.procedures.run({ userId: 'ann', body, waitMs: 0, gone })).toMatchObject({
    task: { steps: [{ targetDeviceId: handsOf(rig) }, {}] },
  });
});

test('a procedure that nobody approved asks once for its run, by the names of its controls, and then goes through', async () => {
  const rig = startServices();
  kept(rig);
  const { taskId } = await started(rig);
  expect(prompts(rig)).toEqual(['Type 1 text, click 1 control']);
  expect(doneBy(rig)).toEqual([]);
  await step(rig, taskId, 'type', body());
  await answerPrompt(rig, 'allow');
  await step(rig, taskId, 'type', body());
  await step(rig, taskId, 'send', send());
  expect([taskNow(rig, taskId).status, prompts(rig)]).toEqual(['success', []]);
});

test('N54: a changed procedure, another requester and a used-up approval ask as if nobody had approved', async () => {
  const rig = approved(LETTER, { runs: 1 });
  kept(rig, { ...LETTER, may: { ...LETTER.may, minutes: 6 } });
  const changed = await started(rig);
  expect(prompts(rig)).toHaveLength(1);
  rig.services.tasks.cancel('ann', changed.taskId);
  kept(rig, LETTER, 'bob');
  await run(rig, { userId: 'bob' });
  expect(prompts(rig)).toHaveLength(1);
  kept(rig);
  expect(leftOf(rig)).toEqual([1]);
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  await step(rig, taskId, 'send', send());
  expect([taskNow(rig, taskId).status, leftOf(rig)]).toEqual(['success', []]);
  await started(rig);
  expect(prompts(rig)).toHaveLength(2);
});

test('N54: a step of high risk that the procedure does not name asks in its run', async () => {
  const rig = approved({ ...LETTER, may: { ...LETTER.may, critical: [] } });
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  await step(rig, taskId, 'send', send());
  expect(stepsNow(rig, taskId)).toEqual({ type: 'success', send: 'awaiting_confirmation' });
  expect(prompts(rig)).toEqual(['Click on the button “Send” of “Mousepad”']);
});

test.each([
  ['says more than its name', body({ texts: ['Delete account'] })],
  [
    'is in a terminal',
    body({ app: { appName: 'xterm', alsoKnownAs: [], risks: [{ level: 'high', reason: 'It runs commands.' }] } }),
  ],
  ['is told in part', body({ isPart: true })],
])('N54: a control that %s asks, though its name is the one that was approved', async (_, found) => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', found);
  expect(stepsNow(rig, taskId).type).toBe('awaiting_confirmation');
});

test('N54: a step that the procedure names asks where its control is of a higher risk than by its name', async () => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  const risks = [{ level: 'critical' as const, reason: 'It runs commands.' }];
  await step(rig, taskId, 'send', send({ app: { appName: 'Mousepad', alsoKnownAs: [], risks } }));
  expect(stepsNow(rig, taskId).send).toBe('awaiting_confirmation');
});

test('N54: an approval that is revoked in the middle of a run covers no further step; one that was denied since neither', async () => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  const [grant] = rig.services.console.grants.list();
  expect(grant?.literal).toContain('can run the procedure “Letter” on "Hands" 3 times within a day.');
  rig.services.console.grants.revoke(String(grant?.id));
  await step(rig, taskId, 'send', send());
  expect(stepsNow(rig, taskId).send).toBe('awaiting_confirmation');
});

test('N54: a run that takes longer than its procedure may asks for the rest', async () => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  rig.clock.setWallClock(rig.clock.nowMs() + 5 * 60_000);
  await step(rig, taskId, 'send', send());
  expect(stepsNow(rig, taskId).send).toBe('awaiting_confirmation');
});

test('a value out of its bounds, an unknown procedure and a digest that is not the latest are refused before anything', async () => {
  const rig = startServices();
  const { digest, name } = kept(rig);
  const long = await run(rig, { parameters: { text: 'x'.repeat(21) } });
  expect(long).toMatchObject({ refused: 'parameters_invalid', errors: [{ pointer: '/parameters/text' }] });
  const none = await run(rig, { parameters: { txt: 'x' } });
  expect(none).toMatchObject({
    detail:
      'The procedure “Letter” was not run: the parameter txt is not known (known: text); the parameter text is missing.',
  });
  kept(rig, { ...LETTER, may: { critical: [], minutes: 5 } });
  const stale = { userId: 'ann', digest, targetDeviceId: handsOf(rig), days: 1, runs: 1 };
  expect(rig.services.console.procedures.approve(name, stale)).toMatchObject({ refused: 'confirmation_stale' });
  expect(
    await rig.services.procedures.run({
      userId: 'bob',
      body: { procedure: 'Letter', parameters: {}, targetDeviceId: handsOf(rig, 'bob') },
      gone: new AbortController().signal,
    }),
  ).toMatchObject({ refused: 'not_found' });
  expect(rig.store.tasks.live()).toEqual([]);
});

test('a dry run finds the controls now, does nothing and takes no run', async () => {
  const rig = approved();
  const trying = run(rig, { dryRun: true });
  await settle();
  await answerLook(rig, body(), send());
  expect(await trying).toMatchObject({ kind: 'dryRun', dryRun: { steps: [{ id: 'type' }, { id: 'send' }] } });
  expect([doneBy(rig), leftOf(rig)]).toEqual([[], [3]]);
});

test('a dry run says of each step what the run does: the approval lets through what it covers, and nothing more', async () => {
  const verdicts = async (rig: Rig) => {
    const trying = run(rig, { dryRun: true });
    await settle();
    await answerLook(rig, body(), send());
    const tried = await trying;
    if (isRefusal(tried) || tried.kind !== 'dryRun') throw new Error(JSON.stringify(tried));
    return tried.dryRun.steps.map(({ verdict }) => verdict);
  };
  expect(await verdicts(approved())).toEqual(['allow', 'allow']);
  expect(await verdicts(approved({ ...LETTER, may: { critical: [], minutes: 5 } }))).toEqual(['allow', 'ask']);
  const rig = startServices();
  kept(rig);
  expect(await verdicts(rig)).toEqual(['ask', 'ask']);
});

const OPEN: ProcedureSubmission = {
  name: 'Letter',
  parameters: { text: { type: 'text', maxLength: 200 } },
  steps: [{ id: 'open', actionType: 'OpenApp', parameters: { appName: { $parameter: 'text' } } }],
  may: { critical: ['open'], minutes: 5 },
};

test('N54: a step that may be of high risk is shown as one, whatever its names alone say of it', async ({ rig }) => {
  kept(rig, OPEN);
  const { steps = [] } = (await rig.services.console.procedures.all()).items[0] ?? {};
  expect(steps).toMatchObject([{ id: 'open', risk: 'high', asks: true }]);
});

test('N54: a step that the procedure names asks where its app makes it critical, though it was shown as one of high risk', async () => {
  const rig = approved({ ...LETTER, may: { critical: ['type', 'send'], minutes: 5 } });
  const risks = [{ level: 'critical' as const, reason: 'It runs commands.' }];
  const app = { ...MOUSEPAD, risks };
  rig.agent.apps.set('Mousepad', done({ data: app }));
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body({ app }));
  expect(stepsNow(rig, taskId).type).toBe('awaiting_confirmation');
});

test('N54: a step that nobody can judge without its values asks in every run, as it is shown', async () => {
  const steps = [{ id: 'open', actionType: 'PressKeys', parameters: { keys: { $parameter: 'text' } } }];
  const rig = approved({ ...OPEN, steps, may: { critical: [], minutes: 5 } });
  const { steps: shown = [] } = (await rig.services.console.procedures.all()).items[0] ?? {};
  expect(shown).toMatchObject([{ id: 'open', asks: true }]);
  const answered = run(rig, { parameters: { text: 'a' } });
  await settle();
  await answerLook(rig, body());
  const answer = await answered;
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error(JSON.stringify(answer));
  await step(rig, answer.task.taskId, 'open', body());
  expect(stepsNow(rig, answer.task.taskId)).toEqual({ open: 'awaiting_confirmation' });
});

test('N54: a draft tells a requester nothing of actions and tasks of others', async ({ rig }) => {
  const { actionId } = await submitOn(rig, CLICK, [control()], 'bob');
  const unknown = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const { draft } = rig.services.procedures;
  for (const source of [{ runOf: actionId }, { actionIds: [actionId] }])
    expect(await draft('ann', { name: 'A', ...source })).toEqual({
      refused: 'action_not_found',
      detail: `There is no action ${actionId} among those of ann.`,
    });
  expect(await draft('ann', { name: 'A', runOf: unknown })).toMatchObject({ refused: 'action_not_found' });
});

test('N54: a draft tells a requester the same of a task of another one as of none', async () => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  const { draft } = rig.services.procedures;
  expect(await draft('ann', { name: 'A', taskId })).toMatchObject({ draft: { steps: [{ actionType: 'TypeText' }] } });
  const unknown = 'tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const toldOf = (id: string) => ({
    refused: 'validation_failed',
    detail: `There is no task ${id} among those of bob.`,
  });
  expect(await draft('bob', { name: 'A', taskId: unknown })).toEqual(toldOf(unknown));
  expect(await draft('bob', { name: 'A', taskId })).toEqual(toldOf(taskId));
});

test('N54: with a procedure its approvals end, those of earlier versions too; the journal tells what was kept and removed', () => {
  const rig = approved();
  kept(rig, { ...LETTER, may: { ...LETTER.may, minutes: 6 } });
  expect(rig.services.console.grants.list()).toHaveLength(1);
  expect(rig.services.procedures.remove('ann', 'Letter')).toBeUndefined();
  expect(rig.services.console.grants.list()).toEqual([]);
  kept(rig);
  expect(leftOf(rig)).toEqual([]);
  expect(rig.kinds()).toEqual(expect.arrayContaining(['procedure.kept', 'procedure.removed', 'grant.revoked']));
});

test('N54: after a restart of the daemon the rest of a run asks', async () => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  const after = rig.crashAndRestart();
  await settle();
  await step(after, taskId, 'send', send());
  expect(stepsNow(after, taskId)).toEqual({ type: 'success', send: 'awaiting_confirmation' });
});

test('N54: a requester that was paused in the middle of a run does nothing more of it', async () => {
  const rig = approved();
  const { taskId } = await started(rig);
  await step(rig, taskId, 'type', body());
  const ended = rig.services.console.requesters.pause('ann');
  await step(rig, taskId, 'send', send()).catch(() => undefined);
  expect([ended, doneBy(rig).map(({ actionType }) => actionType)]).toEqual([expect.anything(), ['TypeText']]);
  expect(await run(rig)).toMatchObject({ refused: 'requester_paused' });
});

test('a requester that the person never allowed anything keeps five procedures, and the page lists them in order', async () => {
  const rig = startServices();
  for (const name of ['e', 'd', 'c', 'b', 'a']) kept(rig, { ...LETTER, name }, 'bob');
  expect(rig.services.procedures.keep('bob', { ...LETTER, name: 'f' })).toMatchObject({ refused: 'validation_failed' });
  kept(rig, { ...LETTER, name: 'a' }, 'bob');
  const { items, leftOut } = await rig.services.console.procedures.all();
  expect([items.map(({ procedure }) => procedure.name), leftOut]).toEqual([['a', 'b', 'c', 'd', 'e'], 0]);
});

test('a requester that the person knows hides no procedure of another one, however large its own are in words', async () => {
  const rig = startServices();
  for (const userId of ['amy', 'zoe']) rig.services.console.profiles.assign(userId, 'assist');
  const name = `B${'\u202e'.repeat(199)}`;
  const target = { app: name.slice(1), window: name.slice(1), role: 'button', name };
  const steps = Array.from({ length: 50 }, (_, index) => ({
    id: `s${index}`,
    actionType: 'Click',
    target,
    parameters: {},
  }));
  const wide = { parameters: {}, steps, may: { critical: [], minutes: 5 } };
  for (let number = 0; number < 50; number += 1) kept(rig, { ...wide, name: `P${number}` }, 'amy');
  kept(rig, LETTER, 'zoe');
  const { items, leftOut } = await rig.services.console.procedures.all();
  expect(items.map(({ procedure }) => procedure.userId)).toContain('zoe');
  expect([items.length + leftOut, leftOut > 0]).toEqual([51, true]);
});

test('a flood of large procedures hides none of a requester that the person knows, and makes no page too large', async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('zoe', 'assist');
  kept(rig, LETTER, 'zoe');
  const steps = Array.from({ length: 50 }, (_, index) => ({
    id: `s${index}`,
    actionType: 'TypeText',
    target: button('Body'),
    parameters: { text: 'x'.repeat(800) },
  }));
  const large = { ...LETTER, parameters: {}, steps, may: { critical: [], minutes: 5 } };
  for (let number = 0; number < 120; number += 1) kept(rig, large, `bob${number}`);
  const { items, leftOut } = await rig.services.console.procedures.all();
  expect(JSON.stringify(items).length).toBeLessThan(5 * 1024 * 1024);
  expect(items.map(({ procedure }) => procedure.userId)).toContain('zoe');
  expect([items.length + leftOut, leftOut > 0]).toEqual([121, true]);
});
