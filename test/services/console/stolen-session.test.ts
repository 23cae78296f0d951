import { expect } from 'vitest';
import type { ConsoleStatus } from '../../../src/contract/console-status.ts';
import { isRefusal } from '../../../src/services/refusal.ts';
import { type Rig, startServices, test } from '../rig.ts';

const RULES = { byLevel: { low: 'allow', medium: 'allow', high: 'ask', critical: 'ask' }, rules: [] } as const;

function signIn({ services }: Rig, code = services.createSignInCode()): string {
  const session = services.console.sessions.open(code);
  if (isRefusal(session)) throw new Error('expected a session');
  return session.key;
}

/** The person chose rules, then a thief signs in with the code before them, and the person enters it a minute later. */
function robbed(steal: (rig: Rig) => void): Rig {
  const rig = startServices();
  const { profiles, requesters } = rig.services.console;
  for (const userId of ['ann', 'bob', 'eve']) rig.services.devices.register(userId, DEVICE);
  profiles.assign('ann', 'lockdown');
  requesters.pause('eve');
  rig.clock.advance(60_000);
  const code = rig.services.createSignInCode();
  signIn(rig, code);
  rig.clock.advance(1_000);
  steal(rig);
  rig.clock.advance(1_000);
  expect(rig.services.console.sessions.open(code)).toMatchObject({ facts: { reason: 'code_reused' } });
  return rig;
}

const DEVICE = { type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } } as const;

const changesOf = ({ stolenSession }: ConsoleStatus) => stolenSession?.changes ?? [];

const profileOf = ({ services }: Rig, userId: string) =>
  services.console.profiles.list().assignments.find((each) => each.userId === userId)?.profile;

const grantOf = (rig: Rig, id: string) => ({
  id,
  userId: 'bob',
  deviceId: rig.deviceId,
  actionType: 'Wait',
  arguments: JSON.stringify({ id }),
  literal: `“bob” can wait (${id}).`,
  scope: 'always' as const,
  createdAtMs: rig.clock.nowMs(),
  unusedMs: 1e9,
  expiresAtMs: rig.clock.nowMs() + 1e9,
});

function stealAll(rig: Rig): void {
  const { profiles, requesters } = rig.services.console;
  profiles.assign('ann', 'trusted');
  profiles.put({ name: 'open', ...RULES, rules: [] });
  profiles.assign('bob', 'open');
  requesters.createKey('bob');
  requesters.resume('eve');
  rig.store.grants.insert(grantOf(rig, 'grt_thief'));
  rig.store.allowedFolders.put({ userId: 'bob', path: '/home/ann', access: 'write', addedAtMs: rig.clock.nowMs() });
}

test('A25: the warning after a stolen code names everything that its session changed', () => {
  const rig = robbed(stealAll);
  expect(changesOf(rig.services.console.status())).toEqual([
    'Grant: “bob” can wait (grt_thief).',
    'Folder for “bob”: /home/ann',
    'Profile of “ann”: trusted',
    'Rules of the profile open',
    'Profile of “bob”: open',
    'New key for “bob”',
    'Resumed: “eve”',
  ]);
  expect(changesOf(rig.crashAndRestart().services.console.status())).toHaveLength(7);
});

test('A25: one answer takes all of it back, and what it cannot restore becomes the strictest', () => {
  const rig = robbed(stealAll);
  const status = rig.services.console.answerStolenSession({ answer: 'take_back' });
  expect(changesOf(status)).toEqual([]);
  expect([profileOf(rig, 'ann'), profileOf(rig, 'bob')]).toEqual(['lockdown', 'assist']);
  expect(rig.services.console.grants.list()).toEqual([]);
  expect(rig.services.console.folders.list().items).toEqual([]);
  const paused = status.requesters.filter(({ pausedBecause }) => pausedBecause !== null);
  expect(paused.map(({ userId, hasKey }) => [userId, hasKey])).toEqual(
    expect.arrayContaining([
      ['bob', false],
      ['eve', false],
    ]),
  );
});

test('A25: whoever has a profile whose rules the session changed gets the strictest one', ({ rig }) => {
  const { profiles } = rig.services.console;
  profiles.put({ name: 'office', ...RULES, rules: [] });
  profiles.assign('ann', 'office');
  rig.clock.advance(60_000);
  const code = rig.services.createSignInCode();
  signIn(rig, code);
  profiles.put({ name: 'office', byLevel: { ...RULES.byLevel, critical: 'allow' as never }, rules: [] });
  rig.services.console.sessions.open(code);
  rig.services.console.answerStolenSession({ answer: 'take_back' });
  expect(profileOf(rig, 'ann')).toBe('lockdown');
});

test('what was changed before that session and after it stays, and so does all of it where the person keeps it', () => {
  const rig = robbed((thief) => thief.store.grants.insert(grantOf(thief, 'grt_thief')));
  rig.clock.advance(1_000);
  rig.store.grants.insert(grantOf(rig, 'grt_mine'));
  expect(changesOf(rig.services.console.status())).toEqual(['Grant: “bob” can wait (grt_thief).']);
  expect(changesOf(rig.services.console.answerStolenSession({ answer: 'keep' }))).toEqual([]);
  expect(rig.services.console.grants.list().map(({ id }) => id)).toEqual(['grt_mine', 'grt_thief']);
  expect(profileOf(rig, 'ann')).toBe('lockdown');
});

test('a session that changed nothing leaves no warning', () => {
  expect(robbed(() => undefined).services.console.status().stolenSession).toBeUndefined();
});

test('of very many changes twenty are told, and all are taken back', () => {
  const rig = robbed((thief) => {
    for (let count = 0; count < 30; count += 1) thief.store.grants.insert(grantOf(thief, `grt_${count}`));
  });
  const changes = changesOf(rig.services.console.status());
  expect([changes.length, changes.at(-1)]).toEqual([21, 'and 10 more']);
  rig.services.console.answerStolenSession({ answer: 'take_back' });
  expect(rig.services.console.grants.list()).toEqual([]);
});

test('A25: a thousand harmless changes do not hide the one behind them', () => {
  const rig = robbed((thief) => {
    const { profiles, requesters } = thief.services.console;
    for (let count = 0; count < 1_100; count += 1) requesters.resume('eve');
    profiles.assign('ann', 'trusted');
  });
  expect(changesOf(rig.services.console.status())).toEqual(['Resumed: “eve”', 'Profile of “ann”: trusted']);
  rig.services.console.answerStolenSession({ answer: 'take_back' });
  expect(profileOf(rig, 'ann')).toBe('lockdown');
});
