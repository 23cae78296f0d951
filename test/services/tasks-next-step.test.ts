import { expect, test } from 'vitest';
import { type Plan, startWorldRig, World } from './tasks-world.ts';

type Step = Plan['steps'][number];

function step(kind: Step['kind'], device: Step['device'] = 'one'): Step {
  return { kind, device, dependsOn: [], runIf: 'success', maxAttempts: 1 };
}

test('the result of a step counts although the end of the step before has sent it', async () => {
  const steps = [step('pure'), step('pure'), step('pure'), step('once'), step('once', 'two')];
  const world = await World.begin(startWorldRig(), 'ann', { steps, onFailure: 'stop', profile: 'assist' });
  await world.let({ does: 'change the rules', which: 0 });
  await world.untilRest(10);
  expect(world.task.steps.map(({ status }) => status)).toEqual(steps.map(() => 'success'));
});
