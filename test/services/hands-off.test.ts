import { expect, test } from 'vitest';
import { decide, firstPrompt, hold, show } from './answers.ts';
import { CLICK, control, doneBy, handsOf, submitOn } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { answerPrompt, answerStep, settle, submittedTask, taskNow } from './tasks-rig.ts';

const ACCESS = { apps: ['mousepad'], allow: 'input', minutes: 10 };

/** `trusted`, so that input runs without a prompt of its own. */
function trusting(): Rig {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  rig.services.console.profiles.assign('bob', 'assist');
  return rig;
}

/** A prompt of another requester that the person has before them. */
async function prompt(rig: Rig) {
  const targetDeviceId = handsOf(rig, 'bob');
  await rig.submit({ targetDeviceId, actionType: 'TakeScreenshot' }, { userId: 'bob', waitMs: 0 });
  const first = firstPrompt(rig);
  const { id } = first;
  return {
    shown: () => rig.services.console.confirmations.shown(id),
    allow: () => decide(rig, 'allow', {}, first),
    deny: () => decide(rig, 'deny', {}, first),
    now: () => rig.services.console.confirmations.get(id),
  };
}

const NOT_READY = { refused: 'confirmation_not_ready' };

test('N6: no input is sent while a prompt is shown, and its record says what it waits for', async () => {
  const rig = trusting();
  const { shown, deny } = await prompt(rig);
  shown();
  const click = await submitOn(rig, CLICK);
  expect(click).toMatchObject({ status: 'queued', details: expect.stringContaining('no input runs meanwhile') });
  rig.clock.advance(5_000);
  expect(doneBy(rig)).toEqual([]);
  deny();
  expect(doneBy(rig)).toMatchObject([{ actionType: 'Click', actionId: click.actionId }]);
});

test('an action that is no input runs while a prompt is shown', async () => {
  const rig = trusting();
  (await prompt(rig)).shown();
  await submitOn(rig, { actionType: 'DescribeScreen', parameters: {} });
  expect(doneBy(rig)).toMatchObject([{ actionType: 'DescribeScreen' }]);
});

test('a prompt that expires lets the input go', async () => {
  const rig = trusting();
  (await prompt(rig)).shown();
  await submitOn(rig, CLICK);
  rig.clock.advance(90_000);
  expect(doneBy(rig)).toMatchObject([{ actionType: 'Click' }]);
});

test('N6: a prompt cannot be allowed while input is under way, and waits its delay anew when that has ended', async () => {
  const rig = trusting();
  const { shown, allow, now } = await prompt(rig);
  await submitOn(rig, CLICK);
  shown();
  rig.clock.advance(60_000);
  expect(allow()).toMatchObject(NOT_READY);
  await rig.agent.answer(done());
  expect(allow()).toMatchObject(NOT_READY);
  expect(now()).toMatchObject({ answerableAt: new Date(rig.clock.nowMs() + 1_000).toISOString() });
  rig.clock.advance(999);
  expect(allow()).toMatchObject(NOT_READY);
  rig.clock.advance(1);
  expect(allow()).toMatchObject({ status: 'running' });
});

test('a denial counts at once, input or not', async () => {
  const rig = trusting();
  const { shown, deny } = await prompt(rig);
  await submitOn(rig, CLICK);
  shown();
  expect(deny()).toMatchObject({ status: 'denied' });
});

test('input that ended before the prompt was shown costs no further delay', async () => {
  const rig = trusting();
  const { shown, allow } = await prompt(rig);
  await submitOn(rig, CLICK);
  await rig.agent.answer(notDone());
  shown();
  rig.clock.advance(1_000);
  expect(allow()).toMatchObject({ status: 'running' });
});

test('N6: an agent that was given up in the middle of its input counts as still typing until it is gone', async () => {
  const rig = trusting();
  const { shown, allow } = await prompt(rig);
  const { actionId } = await submitOn(rig, { ...CLICK, parameters: { elementId: 'e1' } });
  shown();
  rig.clock.advance(60_000);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'unknown' });
  expect(allow()).toMatchObject(NOT_READY);
  rig.agent.listener.lost();
  expect(allow()).toMatchObject(NOT_READY);
  rig.clock.advance(1_000);
  expect(allow()).not.toMatchObject(NOT_READY);
});

test('N6: a held press that began under input is no presence', async () => {
  const rig = trusting();
  await submitOn(rig, CLICK, [control({ name: 'Send' })], 'bob');
  await submitOn(rig, CLICK);
  show(rig, 0);
  hold(rig, 2_000);
  await rig.agent.answer(done());
  rig.clock.advance(2_000);
  expect(decide(rig, 'allow')).toMatchObject({ ...NOT_READY, detail: expect.stringContaining('press and hold') });
});

test('input runs one action at a time, also where each may be repeated', async () => {
  const rig = trusting();
  await submitOn(rig, CLICK);
  const set = await submitOn(rig, { actionType: 'SetValue', parameters: { elementId: 'e2', value: 'x' } }, [
    control({ role: 'textbox', name: 'Name' }),
  ]);
  expect(set).toMatchObject({ status: 'queued', details: 'Waiting for its turn.' });
  const [click] = doneBy(rig);
  await rig.agent.answer(done(), click);
  expect(doneBy(rig).map(({ actionType }) => actionType)).toEqual(['Click', 'SetValue']);
});

test('a step that the shown plan of its own task held goes on, and ends, once the plan is allowed', async () => {
  const rig = trusting();
  const targetDeviceId = handsOf(rig, 'ann');
  const submitted = submittedTask(rig, [
    { id: 'click', targetDeviceId, ...CLICK },
    { id: 'ask', targetDeviceId, actionType: 'RequestAccess', parameters: ACCESS, dependsOn: ['click'] },
  ]);
  await settle();
  await answerLook(rig, control());
  const { taskId } = await submitted;
  await settle();
  show(rig, 0);
  // The step looks again at its turn.
  await answerLook(rig, control());
  expect(doneBy(rig)).toEqual([]);
  await answerPrompt(rig, 'allow');
  await answerStep(rig, taskId, 'click', done());
  expect(taskNow(rig, taskId).steps[0]).toMatchObject({ id: 'click', status: 'success' });
});
