import { expect } from 'vitest';
import { done, startServices, test } from './rig.ts';

const look = { actionType: 'DescribeScreen', parameters: {} };
const UNTOLD = { degradedReasons: [{ code: 'accessibility_switched_off', message: 'Chromium does not describe …' }] };

test('the first look that is incomplete because accessibility is off is told to the person for ten minutes', async () => {
  const rig = startServices();
  const isTold = () => rig.services.console.status().hasUntoldApps;
  rig.agent.report({ accessibility: 'switched_off' });
  await rig.submitted(look);
  await rig.agent.answer(done({ data: { degradedReasons: [] } }));
  expect(isTold()).toBeUndefined();
  await rig.submitted(look);
  await rig.agent.answer(done({ data: UNTOLD }));
  expect(isTold()).toBe(true);
  rig.agent.report({ accessibility: 'not_required' });
  expect(isTold()).toBeUndefined();
  rig.agent.report({ accessibility: 'switched_off' });
  rig.clock.advance(10 * 60_000);
  expect(isTold()).toBeUndefined();
});

test('the person switches accessibility on, and the agent looks again', async ({ rig }) => {
  const answered = rig.services.console.switchAccessibilityOn();
  await rig.sent();
  expect(rig.agent.sent.at(-1)).toMatchObject({ actionType: 'LookAgain' });
  await rig.agent.answer(done());
  expect(await answered).toMatchObject({ agent: 'online' });
});
