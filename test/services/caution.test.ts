import { describe, expect } from 'vitest';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt } from './tasks-rig.ts';

const CAUTION = 'The vendor of the model wants a person to confirm this.';
const wait = { actionType: 'Wait', parameters: { durationMs: 1 } };
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

type Extra = { caution?: string; idempotencyKey?: string };

function submitWith(rig: Rig, body: Partial<ActionSubmission>, extra: Extra = {}) {
  return rig.services.actions.submit({
    userId: 'ann',
    body: { targetDeviceId: rig.deviceId, actionType: 'Wait', parameters: {}, ...body },
    gone: new AbortController().signal,
    waitMs: 0,
    ...extra,
  });
}

/** Submits with the caution, and hands over the record. */
async function cautious(rig: Rig, body: Partial<ActionSubmission>): Promise<Action> {
  const answer = await submitWith(rig, body, { caution: CAUTION });
  if (isRefusal(answer) || answer.kind !== 'action') throw new Error(JSON.stringify(answer));
  return answer.action;
}

describe('a caution of the caller', () => {
  test.each([
    [wait, 'low', 'medium'],
    [screenshot, 'medium', 'high'],
  ])('raises the risk of %o from %s to %s and says why', async (body, before, after) => {
    const rig = startServices();
    expect((await rig.submitted(body)).risk.level).toBe(before);
    const { risk } = await cautious(rig, body);
    expect([risk.level, risk.reasons.at(-1)]).toEqual([after, CAUTION]);
  });

  test.each(['assist', 'trusted'])(
    'asks the person under the profile %s, which lets the same action run',
    async (name) => {
      const rig = startServices();
      rig.services.console.profiles.assign('ann', name);
      expect((await rig.submitted(wait)).status).toBe('running');
      expect((await cautious(rig, wait)).status).toBe('awaiting_confirmation');
      expect(rig.agent.sent).toHaveLength(1);
    },
  );

  test('leaves an action blocked that a profile blocks', async ({ rig }) => {
    rig.services.console.profiles.assign('ann', 'observe');
    expect((await cautious(rig, screenshot)).status).toBe('blocked');
  });

  test('is not let through by a grant, also one that is given while it waits', async ({ rig }) => {
    const waiting = [await cautious(rig, screenshot), await cautious(rig, screenshot)];
    await answerPrompt(rig, 'allow', 'untilQuit');
    expect(await rig.submitted(screenshot)).toMatchObject({ status: 'running', risk: { level: 'medium' } });
    const statuses = waiting.map(({ actionId }) => Object(rig.services.actions.get('ann', actionId)).status);
    expect(statuses.toSorted()).toEqual(['awaiting_confirmation', 'running']);
    expect((await cautious(rig, screenshot)).status).toBe('awaiting_confirmation');
  });

  test('still asks when the person assigns a looser profile while it waits', async ({ rig }) => {
    const { actionId } = await cautious(rig, wait);
    rig.services.console.profiles.assign('ann', 'trusted');
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'awaiting_confirmation' });
    expect(rig.agent.sent).toEqual([]);
  });

  test('makes another request of the same body under one idempotency key', async ({ rig }) => {
    await submitWith(rig, wait, { idempotencyKey: 'one' });
    const flagged = { idempotencyKey: 'one', caution: CAUTION };
    expect(await submitWith(rig, wait, flagged)).toMatchObject({ refused: 'idempotency_key_reused' });
  });
});

describe('whether the person approved an action', () => {
  const wasApproved = (rig: Rig, { actionId }: Action, userId = 'ann') =>
    rig.services.actions.wasApproved(userId, actionId);

  test('is true once the person allowed it and it was done, for its own user', async ({ rig }) => {
    const action = await cautious(rig, screenshot);
    expect(wasApproved(rig, action)).toBe(false);
    await answerPrompt(rig, 'allow');
    await rig.agent.answer(done());
    expect([wasApproved(rig, action), wasApproved(rig, action, 'bob')]).toEqual([true, false]);
  });

  test('is false after a denial', async ({ rig }) => {
    const action = await cautious(rig, screenshot);
    await answerPrompt(rig, 'deny');
    rig.clock.advance(60_000);
    expect(rig.services.actions.get('ann', action.actionId)).toMatchObject({ status: 'denied' });
    expect(wasApproved(rig, action)).toBe(false);
  });

  test('is false after nobody answered', async ({ rig }) => {
    const action = await cautious(rig, screenshot);
    rig.clock.advance(3_600_000);
    expect(rig.services.actions.get('ann', action.actionId)).toMatchObject({ status: 'expired' });
    expect(wasApproved(rig, action)).toBe(false);
  });

  test('is false where nobody was asked, or a grant let it through', async ({ rig }) => {
    const unasked = await rig.submitted(wait);
    await rig.agent.answer(done());
    await rig.submitted(screenshot);
    await answerPrompt(rig, 'allow', 'always');
    await rig.agent.answer(done());
    const granted = await rig.submitted(screenshot);
    await rig.agent.answer(done());
    for (const action of [unasked, granted]) {
      expect(rig.services.actions.get('ann', action.actionId)).toMatchObject({ status: 'success' });
      expect(wasApproved(rig, action)).toBe(false);
    }
  });
});
