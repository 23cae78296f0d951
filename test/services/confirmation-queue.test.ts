import { expect, test } from 'vitest';
import { type Rig, startServices } from './rig.ts';
import { type Step, submittedTask } from './tasks-rig.ts';

/** A hundred steps that ask, with the longest arguments there may be. */
function longPlan(of: number): Step[] {
  const display = `plan-${of}-`.padEnd(32, 'x');
  return Array.from({ length: 100 }, (_, n) => ({
    id: `s${n}`,
    actionType: 'TakeScreenshot',
    parameters: { display, maxWidth: 100 + n },
  }));
}

async function startWithPlans(count: number): Promise<Rig> {
  const rig = startServices();
  for (let of = 0; of < count; of += 1) await submittedTask(rig, longPlan(of), { name: `plan ${of}` });
  return rig;
}

const sizeOf = (value: unknown) => JSON.stringify(value).length;

test('plans of a hundred steps are listed in the room of one and a row for each of the others', async () => {
  const rig = await startWithPlans(3);
  const queue = rig.services.console.confirmations.list();
  const [first, ...others] = queue;
  expect(first).toHaveProperty('plan');
  expect(others).toHaveLength(2);
  for (const row of others) expect(sizeOf(row)).toBeLessThan(700);
  expect(others[0]?.prompt).toEqual({
    requester: { userId: 'ann', isStranger: true },
    sentence: 'Take screenshot 100 times',
    risk: { level: 'medium' },
    place: 2,
    waiting: 3,
  });
}, 30_000);

test('a prompt in the queue can be had whole, with its place, until it is answered', async () => {
  const rig = await startWithPlans(2);
  const [first, second] = rig.services.console.confirmations.list();
  const whole = rig.services.console.confirmations.get(String(second?.id));
  expect(whole).toMatchObject({ id: second?.id, actionDigest: second?.actionDigest, prompt: { place: 2, waiting: 2 } });
  expect(whole).toHaveProperty('plan.steps.99');
  expect(rig.services.console.confirmations.get(String(first?.id))).toEqual(first);
  rig.services.console.confirmations.denyAllOf('ann');
  expect(rig.services.console.confirmations.get(String(second?.id))).toMatchObject({
    refused: 'confirmation_resolved',
  });
  expect(rig.services.console.confirmations.list()).toEqual([]);
});

test('the riskiest prompt is first and whole, wherever it was in the queue before', async () => {
  const rig = await startWithPlans(1);
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  const [first, second] = rig.services.console.confirmations.list();
  expect([first?.prompt.risk.level, first?.prompt.place]).toEqual(['high', 1]);
  expect(first).toHaveProperty('nonce');
  expect(second).not.toHaveProperty('plan');
});
