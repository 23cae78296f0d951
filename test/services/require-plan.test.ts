import { expect, test } from 'vitest';
import { done, type Rig, startServices } from './rig.ts';
import { answerPrompt, settle, stepsNow, submittedTask } from './tasks-rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const BY_LEVEL = { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' } as const;
const REFUSAL =
  'The profile office asks about plans only. Submit this as a step of a task, or run a procedure that the person approved.';

function rigWithPlans(): Rig {
  const rig = startServices();
  rig.services.console.profiles.put({ name: 'office', byLevel: BY_LEVEL, rules: [], requirePlan: true });
  return rig;
}

test('where the profile requires a plan, a single action that would ask is blocked, and says what to submit', async () => {
  const rig = rigWithPlans();
  expect(rig.services.console.profiles.assign('ann', 'office')).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ name: 'office', requirePlan: true })]),
  });
  expect(await rig.submitted(screenshot)).toMatchObject({ status: 'blocked', details: `Blocked. ${REFUSAL}` });
  expect(rig.services.console.confirmations.list()).toEqual([]);
  const dry = await rig.submit({ ...screenshot, dryRun: true });
  expect(dry).toMatchObject({ kind: 'dryRun', dryRun: { verdict: 'block', rule: REFUSAL } });
});

test('an action that needs no answer runs all the same, and so does one that the profile does not ask about', async () => {
  const rig = rigWithPlans();
  rig.services.console.profiles.assign('ann', 'office');
  expect((await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 0 } })).status).toBe('running');
});

test('a grant that the person gave lets a single action through', async () => {
  const rig = rigWithPlans();
  await rig.submitted(screenshot);
  await answerPrompt(rig, 'allow', 'minutes15');
  await rig.agent.answer(done());
  rig.services.console.profiles.assign('ann', 'office');
  expect(await rig.submitted(screenshot)).toMatchObject({ status: 'running' });
});

test('the same as a step of a task asks with the plan, and runs once the plan is allowed', async () => {
  const rig = rigWithPlans();
  rig.services.console.profiles.assign('ann', 'office');
  const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ shot: 'awaiting_confirmation' });
  await answerPrompt(rig, 'allow');
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ shot: 'running' });
});

test('a profile that a submission names for itself narrows in the same way', async () => {
  const rig = rigWithPlans();
  expect(await rig.submitted({ ...screenshot, profile: 'office' })).toMatchObject({ status: 'blocked' });
  expect(await rig.submitted(screenshot)).toMatchObject({ status: 'awaiting_confirmation' });
});

test('a prompt that waits ends when the person begins to require plans', async () => {
  const rig = rigWithPlans();
  const { actionId } = await rig.submitted(screenshot);
  rig.services.console.profiles.assign('ann', 'office');
  await settle();
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({
    status: 'cancelled',
    details: expect.stringContaining(REFUSAL),
  });
});
