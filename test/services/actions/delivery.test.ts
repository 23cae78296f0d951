import { expect, test } from 'vitest';
import { decide } from '../answers.ts';
import { CLICK, control, submitOn } from '../hands.ts';
import { notDone, type Rig, trusting } from '../rig.ts';

const SET = { actionType: 'SetValue', parameters: { elementId: 'e1', value: 'x' } };

test.each([
  [CLICK, 'none', 'no', true],
  [CLICK, 'unknown', 'unknown', false],
  [CLICK, 'done', 'yes', false],
  [SET, 'none', 'no', true],
  [SET, 'unknown', 'unknown', true],
] as const)(
  '%j that failed with the side effect %s was delivered: %s, and is safe to repeat: %s',
  async (body, sideEffect, delivered, safeToRepeat) => {
    const rig = trusting();
    const { actionId } = await submitOn(rig, body);
    await rig.agent.answer(notDone({ code: 'timeout', sideEffect }));
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ data: { delivered, safeToRepeat } });
  },
);

test('input whose agent went away may have been delivered, and a click of it is not to be repeated', async () => {
  const rig = trusting();
  const { actionId } = await submitOn(rig, CLICK);
  rig.agent.listener.lost();
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({
    status: 'unknown',
    data: { delivered: 'unknown', safeToRepeat: false },
  });
});

test('timed out, denied, expired and cut off are four different outcomes', async () => {
  const outcomes = [
    await endOf(trusting(), 'trusted', (rig) => rig.agent.answer(notDone({ code: 'timeout', sideEffect: 'none' }))),
    await endOf(trusting(), 'assist', (rig) => void decide(rig, 'deny')),
    await endOf(trusting(), 'assist', (rig) => rig.clock.advance(90_000)),
    await endOf(trusting(), 'trusted', (rig) => rig.agent.listener.lost()),
  ];
  expect(outcomes).toEqual(['failed timeout', 'denied ', 'expired ', 'unknown ']);
});

async function endOf(rig: Rig, profile: string, end: (rig: Rig) => unknown): Promise<string> {
  rig.services.console.profiles.assign('ann', profile);
  const { actionId } = await submitOn(rig, CLICK, [control()]);
  await end(rig);
  const row = rig.store.actions.findById(actionId);
  return `${row?.status} ${row?.error?.code ?? ''}`;
}
