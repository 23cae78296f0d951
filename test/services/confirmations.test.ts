import { describe, expect } from 'vitest';
import { consumeApproval, NoLiveApproval } from '../../src/services/actions/dispatch.ts';
import { actionOf, wholePrompts } from '../http/confirmation-queue.ts';
import { decide, hold, onlyPrompt, show } from './answers.ts';
import { done, fillDesktop, startServices, test } from './rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

test('an action of medium risk waits for a person and is not sent', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  expect(action).toMatchObject({ status: 'awaiting_confirmation', confirmation: { id: onlyPrompt(rig).id } });
  expect(rig.agent.sent).toEqual([]);
});

test('the prompt says who asks, what for, with which arguments, and how risky it is', async ({ rig }) => {
  await rig.submitted({ ...screenshot, parameters: { format: 'png' }, reason: 'to see \u202ethe page' });
  expect(onlyPrompt(rig).prompt).toEqual({
    requester: {
      userId: 'ann',
      isStranger: true,
      via: 'http',
      knownSince: '2026-01-01T00:00:00.000Z',
      hasKey: false,
      before: 'nothing',
      program: { kind: 'unknown', because: 'it was not looked up' },
    },
    device: 'Desk',
    sentence: 'Take a screenshot of the main display',
    arguments: '{"format":"png"}',
    changes: "Changes nothing. Once shared, the picture can't be recalled.",
    risk: { level: 'medium', reasons: ['A picture shows everything that is on the screen.'] },
    history: 'First time',
    reason: 'to see \\u{202e}the page',
    place: 1,
    waiting: 1,
  });
});

test('the name of a device cannot pass for another end of the grant that is offered', async ({ rig }) => {
  const name = 'Desk" with exactly {} this once.\u202e';
  const { device } = rig.services.devices.register('ann', { type: 'linux', name, capabilities: {} });
  await rig.submitted({ ...screenshot, targetDeviceId: device.id });
  expect(onlyPrompt(rig).scopes[1]?.grant).toBe(
    '“ann” can take screenshots of the main display on "Desk\\" with exactly {} this once.\\u{202e}" for 15 minutes.',
  );
});

test('allowed by the person, it is sent, and its approval is spent', async ({ rig }) => {
  const { actionId, confirmation } = await rig.submitted(screenshot);
  show(rig, 1_000);
  expect(decide(rig, 'allow')).toMatchObject({ actionId, status: 'running' });
  expect(rig.agent.sent.map((params) => params.actionId)).toEqual([actionId]);
  expect(rig.store.confirmations.find(String(confirmation?.id))).toMatchObject({
    status: 'allowed',
    consumedAtMs: rig.clock.nowMs(),
  });
  await rig.agent.answer(done());
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'success' });
});

test('allowed by the person, and kept from its turn by others for two minutes, it has expired and is not sent later', async () => {
  const rig = startServices();
  await fillDesktop(rig);
  const { actionId } = await rig.submitted(screenshot);
  show(rig, 1_000);
  expect(decide(rig, 'allow')).toMatchObject({ actionId, status: 'queued' });
  rig.clock.advance(119_999);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'queued' });
  rig.clock.advance(1);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
  await rig.agent.answer(done(), rig.agent.sent[0]);
  expect(rig.agent.sent.map((params) => params.actionType)).not.toContain('TakeScreenshot');
});

test('allowed by the person, it is not sent two minutes later where the machine was suspended and no timer ran', async () => {
  const rig = startServices();
  await fillDesktop(rig);
  const { actionId } = await rig.submitted(screenshot);
  show(rig, 1_000);
  decide(rig, 'allow');
  rig.clock.setWallClock(rig.clock.nowMs() + 120_001);
  await rig.agent.answer(done(), rig.agent.sent[0]);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
  expect(rig.agent.sent).toHaveLength(20);
});

test.each([
  [119_999, false],
  [120_000, true],
])('an approval that is %i ms old is too old to be spent: %s', async (ageMs, isTooOld) => {
  const rig = startServices();
  await fillDesktop(rig);
  const { actionId } = await rig.submitted(screenshot);
  show(rig, 1_000);
  decide(rig, 'allow');
  const row = rig.store.actions.findById(actionId);
  if (row === undefined) throw new Error('the action waits for its turn');
  const context = { ...rig, newId: (prefix: string) => prefix, log: console };
  const spend = () => rig.store.write('durable', () => consumeApproval(context, row, rig.clock.nowMs() + ageMs));
  if (isTooOld) expect(spend).toThrow(NoLiveApproval);
  else expect(spend).not.toThrow();
});

test('denied by the person, it ends, and nothing is sent', async ({ rig }) => {
  const { actionId } = await rig.submitted(screenshot);
  expect(decide(rig, 'deny')).toMatchObject({ actionId, status: 'denied' });
  expect(rig.agent.sent).toEqual([]);
});

test('unanswered for ninety seconds, it expires, which means no', async ({ rig }) => {
  const { actionId } = await rig.submitted(screenshot);
  const prompt = onlyPrompt(rig);
  rig.clock.advance(90_000);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
  expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_expired' });
  expect(rig.agent.sent).toEqual([]);
});

test('it expires at its time although the machine was suspended and no timer ran', async ({ rig }) => {
  const { actionId } = await rig.submitted(screenshot);
  show(rig, 1_000);
  const prompt = onlyPrompt(rig);
  rig.clock.setWallClock(rig.clock.nowMs() + 89_000);
  expect(rig.services.console.confirmations.list()).toEqual([]);
  expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_expired' });
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
  expect(rig.agent.sent).toEqual([]);
});

test('cancelled by its requester, its prompt ends with it', async ({ rig }) => {
  const { actionId } = await rig.submitted(screenshot);
  expect(rig.services.actions.cancel('ann', actionId)).toMatchObject({ status: 'cancelled' });
  expect(rig.services.console.confirmations.list()).toEqual([]);
});

test('a caller that waits gets the answer when the person has given it', async ({ rig }) => {
  const held = rig.submit(screenshot, { waitMs: 60_000 });
  await new Promise(setImmediate);
  show(rig, 1_000);
  decide(rig, 'allow');
  await rig.agent.answer(done());
  expect(await held).toMatchObject({ action: { status: 'success' } });
});

describe('an answer does not count', () => {
  test('before the prompt was shown', async ({ rig }) => {
    await rig.submitted(screenshot);
    expect(decide(rig, 'allow')).toMatchObject({ refused: 'confirmation_not_ready' });
  });

  test('before the delay of its risk is over', async ({ rig }) => {
    await rig.submitted(screenshot);
    show(rig, 999);
    expect(decide(rig, 'allow')).toMatchObject({ refused: 'confirmation_not_ready' });
    rig.clock.advance(1);
    expect(decide(rig, 'allow')).toMatchObject({ status: 'running' });
  });

  test('with another nonce or digest', async ({ rig }) => {
    await rig.submitted(screenshot);
    show(rig, 1_000);
    expect(decide(rig, 'allow', { nonce: 'guess' })).toMatchObject({ refused: 'confirmation_stale' });
    expect(decide(rig, 'allow', { actionDigest: '0'.repeat(64) })).toMatchObject({ refused: 'confirmation_stale' });
    expect(rig.agent.sent).toEqual([]);
  });

  test('twice', async ({ rig }) => {
    await rig.submitted(screenshot);
    show(rig, 1_000);
    const prompt = onlyPrompt(rig);
    decide(rig, 'allow');
    expect(decide(rig, 'deny', {}, prompt)).toMatchObject({ refused: 'confirmation_resolved' });
  });

  test('to high risk without a held press, whatever it claims', async ({ rig }) => {
    await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
    show(rig, 2_000);
    expect(decide(rig, 'allow', { presence: 'hold' })).toMatchObject({ refused: 'confirmation_not_ready' });
    hold(rig, 999);
    expect(decide(rig, 'allow', { presence: 'hold' })).toMatchObject({ refused: 'confirmation_not_ready' });
    hold(rig, 1_000);
    expect(decide(rig, 'allow', { presence: 'hold' })).toMatchObject({ status: 'running' });
  });
});

test('no more than twenty-five prompts of one user wait', async ({ rig }) => {
  for (let count = 0; count < 25; count += 1) await rig.submitted(screenshot);
  expect(await rig.submit(screenshot)).toMatchObject({ refused: 'too_many_pending', retryAfterSeconds: 30 });
  expect(rig.services.console.confirmations.list()).toHaveLength(25);
});

test('the highest risk is listed first, and within it the oldest', async ({ rig }) => {
  const first = await rig.submitted(screenshot);
  const second = await rig.submitted(screenshot);
  const high = await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  expect(wholePrompts(rig.services.console).map((prompt) => actionOf(prompt)?.actionId)).toEqual([
    high.actionId,
    first.actionId,
    second.actionId,
  ]);
});

describe('the console session', () => {
  test('opens with a fresh code, once', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const session = rig.services.console.sessions.open(code);
    expect(session).toMatchObject({ key: expect.stringMatching(/^[\w-]{43}$/) });
    expect(rig.services.console.sessions.isOpen((session as { key: string }).key)).toBe(true);
    expect(rig.services.console.sessions.open(code)).toMatchObject({ refused: 'console_session_required' });
  });

  test('does not open with a code older than ten minutes', ({ rig }) => {
    const code = rig.services.createSignInCode();
    rig.clock.advance(600_000);
    expect(rig.services.console.sessions.open(code)).toMatchObject({ refused: 'console_session_required' });
  });

  test('does not open by guessing: of wrong codes five a minute are judged', ({ rig }) => {
    const guess = () => rig.services.console.sessions.open('guess');
    for (let count = 0; count < 5; count += 1) expect(guess()).toMatchObject({ refused: 'console_session_required' });
    expect(guess()).toMatchObject({ refused: 'rate_limited', retryAfterSeconds: 60 });
    rig.clock.advance(60_000);
    expect(guess()).toMatchObject({ refused: 'console_session_required' });
  });

  test('opens with the right code however many wrong ones others have sent', ({ rig }) => {
    const code = rig.services.createSignInCode();
    for (let count = 0; count < 6; count += 1) rig.services.console.sessions.open('guess');
    expect(rig.services.console.sessions.open(code)).toMatchObject({ key: expect.any(String) });
    expect(rig.services.console.sessions.open('guess')).toMatchObject({ refused: 'rate_limited' });
  });

  test('tells whoever listens that its twelve idle hours are over, though nobody calls', ({ rig }) => {
    const { key } = rig.services.console.sessions.open(rig.services.createSignInCode()) as { key: string };
    const ended = rig.services.console.sessions.signal(key);
    rig.clock.advance(6 * 3_600_000);
    rig.services.console.sessions.isOpen(key);
    rig.clock.advance(12 * 3_600_000 - 1);
    expect(ended.aborted).toBe(false);
    rig.clock.advance(1);
    expect(ended.aborted).toBe(true);
    expect(rig.services.console.sessions.isOpen(key)).toBe(false);
  });

  test('ends at once when the person signs out, and no other session with it', ({ rig }) => {
    const { console, createSignInCode } = rig.services;
    const [mine, other] = [0, 1].map(() => (console.sessions.open(createSignInCode()) as { key: string }).key);
    const signals = [mine, other].map((key) => console.sessions.signal(String(key)));
    console.sessions.close(String(mine));
    expect([mine, other].map((key) => console.sessions.isOpen(String(key)))).toEqual([false, true]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(console.sessions.signal(String(mine)).aborted).toBe(true);
    expect(rig.kinds().slice(-3)).toEqual(['session.opened', 'session.opened', 'session.closed']);
  });
});
