import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { planDigest } from '../../src/services/confirmations/plans.ts';
import { visible } from '../../src/services/prompt-words.ts';
import { decide, firstPrompt } from './answers.ts';
import { type Rig, startServices, test } from './rig.ts';

const openTerminal = { actionType: 'OpenApp', parameters: { appName: 'xterm' } };
const screenshot = { actionType: 'TakeScreenshot', parameters: { format: 'png' } };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const allow = (rig: Rig, scope: 'once' | 'always' = 'once') => decide(rig, 'allow', { scope });

const READY = { status: expect.stringMatching(/queued|running/) };
const NOT_READY = { refused: 'confirmation_not_ready' };

describe('a prompt of medium risk', () => {
  test.each([
    [999, NOT_READY],
    [1_000, READY],
  ])('that was shown for %d ms', async (shownForMs, answer) => {
    const rig = startServices();
    await rig.submitted(screenshot);
    rig.services.console.confirmations.shown(firstPrompt(rig).id);
    await rig.clock.advance(shownForMs);
    expect(allow(rig)).toMatchObject(answer);
  });

  test('binds the answer to the user, the device, the type and the arguments of its action', async ({ rig }) => {
    await rig.submitted(screenshot);
    const canonical = `{"actionType":"TakeScreenshot","deviceId":"${rig.deviceId}","parameters":{"format":"png"},"userId":"ann"}`;
    expect(firstPrompt(rig).actionDigest).toBe(sha256(canonical));
  });
});

describe('a prompt of low risk', () => {
  test.each([
    [999, NOT_READY],
    [1_000, READY],
  ])('that was shown for %d ms', async (shownForMs, answer) => {
    const rig = startServices();
    rig.services.console.profiles.assign('ann', 'lockdown');
    await rig.submitted({ parameters: { durationMs: 1 } });
    rig.services.console.confirmations.shown(firstPrompt(rig).id);
    await rig.clock.advance(shownForMs);
    expect(allow(rig)).toMatchObject(answer);
  });
});

describe.each([
  ['high', openTerminal],
  [
    'critical',
    { actionType: 'RunScript', parameters: { interpreter: 'sh', script: 'true', network: ['example.org'] } },
  ],
])('a prompt of %s risk', (level, body) => {
  test.each([
    [1_999, NOT_READY],
    [2_000, READY],
  ])('that was shown for %d ms, with a button that was held', async (shownForMs, answer) => {
    const rig = startServices();
    await rig.submitted(body);
    expect(firstPrompt(rig).prompt.risk.level).toBe(level);
    const { id } = firstPrompt(rig);
    rig.services.console.confirmations.shown(id);
    rig.services.console.confirmations.hold(id, 'press');
    await rig.clock.advance(1_000);
    rig.services.console.confirmations.hold(id, 'release');
    await rig.clock.advance(shownForMs - 1_000);
    expect(allow(rig)).toMatchObject(answer);
  });
});

describe('a prompt of high risk', () => {
  test.each([
    [999, 0, NOT_READY],
    [1_000, 0, READY],
    [1_000, 30_000, READY],
    [1_000, 30_001, NOT_READY],
  ])('whose button was held for %d ms, answered %d ms later', async (heldForMs, laterMs, answer) => {
    const rig = startServices();
    await rig.submitted(openTerminal);
    const { id } = firstPrompt(rig);
    rig.services.console.confirmations.shown(id);
    await rig.clock.advance(2_000);
    rig.services.console.confirmations.hold(id, 'press');
    await rig.clock.advance(heldForMs);
    rig.services.console.confirmations.hold(id, 'release');
    await rig.clock.advance(laterMs);
    expect(allow(rig)).toMatchObject(answer);
  });
});

test('a grant lets through only its own user, action type, device and arguments', async ({ rig }) => {
  await rig.submitted(screenshot);
  rig.services.console.confirmations.shown(firstPrompt(rig).id);
  await rig.clock.advance(1_000);
  allow(rig, 'always');
  const key = { userId: 'ann', actionType: 'TakeScreenshot', deviceId: rig.deviceId, arguments: '{}' };
  const found = (change: Partial<typeof key>) => rig.store.grants.find({ ...key, ...change }, rig.clock.nowMs());
  expect(found({})).toMatchObject({ userId: 'ann', scope: 'always' });
  const others = [{ userId: 'eve' }, { actionType: 'QuitApp' }, { deviceId: 'dev_2' }, { arguments: '{"marks":true}' }];
  expect(others.map(found)).toEqual([undefined, undefined, undefined, undefined]);
});

describe('the digest of a plan', () => {
  const step = {
    stepId: 'shot',
    consent: 'asked',
    actionType: 'TakeScreenshot',
    digest: 'd',
    riskLevel: 'medium',
    maxAttempts: 1,
  } as const;
  const plan = { userId: 'ann', taskId: 'tsk_1', policyVersion: '1', steps: [step] };

  test('is that of a reference implementation', () => {
    expect(planDigest(plan)).toBe('fb524d6b09cc0d7d7ae0c3729ac601bf7a4e84e8d17f4ea86810048826d8ad3c');
  });

  test.each([
    ['user', { userId: 'eve' }],
    ['task', { taskId: 'tsk_2' }],
    ['rules', { policyVersion: '2' }],
    ['step', { steps: [{ ...step, stepId: 'other' }] }],
    ['digest of a step', { steps: [{ ...step, digest: 'e' }] }],
    ['risk of a step', { steps: [{ ...step, riskLevel: 'high' as const }] }],
    ['attempts of a step', { steps: [{ ...step, maxAttempts: 2 }] }],
    ['number of steps', { steps: [step, { ...step, stepId: 'more' }] }],
  ])('is another one for another %s', (_what, change) => {
    expect(planDigest({ ...plan, ...change })).not.toBe(planDigest(plan));
  });
});

test.each([
  ['a Hangul filler', '\u3164', '\\u{3164}'],
  ['a Hangul choseong filler', '\u115f', '\\u{115f}'],
  ['a halfwidth Hangul filler', '\uffa0', '\\u{ffa0}'],
  ['a braille blank', '\u2800', '\\u{2800}'],
  ['a zero-width space', '\u200b', '\\u{200b}'],
  ['a right-to-left override', '\u202e', '\\u{202e}'],
  ['a line separator', '\u2028', '\\u{2028}'],
])('%s in the words of a prompt is shown as an escape', (_what, character, shown) => {
  expect(visible(`a${character}b\n`)).toBe(`a${shown}b\n`);
});
