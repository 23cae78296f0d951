import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { encodeTime } from 'ulid';
import { expect, vi } from 'vitest';
import type { Verdict } from '../../../src/contract/action.ts';
import type { PolicyDiff } from '../../../src/contract/policy.ts';
import type { Profile, ProfileRule } from '../../../src/contract/profile.ts';
import { CATALOGUE } from '../../../src/domain/catalogue.ts';
import { BUILT_IN_PROFILES, judge } from '../../../src/domain/profile.ts';
import { createPolicyDiffs } from '../../../src/services/console/policy-diff.ts';
import type { ActionRow } from '../../../src/store/records/actions.ts';
import type { DeviceRow } from '../../../src/store/records/devices.ts';
import { ALL, startServices, test } from '../rig.ts';
import { answerPrompt, settle, submittedTask } from '../tasks-rig.ts';

const DAY_MS = 86_400_000;
const USERS = ['ann', 'bob', 'cy'] as const;

/** What a random action is made of. `isKept`: its parameters are still there. */
type Made = {
  userId: string;
  what: [actionType: string, parameters: Record<string, unknown>];
  level: 'low' | 'medium' | 'high' | 'critical';
  agoMs: number;
  isKept: boolean;
  isDeclared: boolean;
};

const WHATS: Made['what'][] = [
  ['OpenApp', { appName: 'mousepad' }],
  ['OpenApp', { appName: 'Terminal' }],
  ['OpenApp', { appName: 'Handrail' }],
  ['ReadFile', { path: '/home/ann/Reports/a.txt' }],
  ['ReadFile', { path: '/home/ann/b.txt' }],
  ['TypeText', { text: 'hello' }],
  ['RequestAccess', { apps: ['mousepad'], use: 'look', minutes: 5, reason: 'to help' }],
  ['Wait', { durationMs: 1 }],
];

const MINUTE_MS = 60_000;
/** The spans of a comparison, where hours of rules begin and end, and no time of note. */
const BASES_MS = [0, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 6.5 * 60 * MINUTE_MS, 12 * 60 * MINUTE_MS, 5 * DAY_MS + 12_345];
/** What rates and hours of rules turn at, and the same by a hair. */
const OFFSETS_MS = [0, 0, 1, 1_000, MINUTE_MS - 1, MINUTE_MS, MINUTE_MS + 1, 3_599_999, 3_600_000, 3_600_001];

const level = fc.constantFrom('low', 'medium', 'high', 'critical');
const made = (what: fc.Arbitrary<Made['what']>, baseMs: fc.Arbitrary<number>): fc.Arbitrary<Made> =>
  fc.record({
    userId: fc.constantFrom('ann', ...USERS),
    what,
    level,
    agoMs: fc.tuple(baseMs, fc.constantFrom(...OFFSETS_MS)).map(([base, offset]) => base + offset),
    isKept: fc.boolean(),
    isDeclared: fc.boolean(),
  });

/** Various ones, or many of one kind and level in a short time, which only hours and rates tell apart. */
const actions: fc.Arbitrary<Made[]> = fc.oneof(
  fc.array(made(fc.constantFrom(...WHATS), fc.constantFrom(...BASES_MS)), { minLength: 1, maxLength: 12 }),
  fc.tuple(fc.constantFrom(...BASES_MS), fc.constantFrom(...WHATS), level).chain(([base, what, of]) =>
    fc.array(
      made(fc.constant(what), fc.constant(base)).map((each) => ({
        ...each,
        level: of,
        isDeclared: true,
        isKept: true,
      })),
      { minLength: 4, maxLength: 12 },
    ),
  ),
);

const verdict: fc.Arbitrary<Verdict> = fc.constantFrom('allow', 'ask', 'block');
const hour = fc.constantFrom('00:00', '12:00', '17:30', '23:59');
const some = <Value>(of: readonly Value[]) => fc.subarray([...of], { minLength: 1 });
const hours = fc.record({ from: hour, to: hour });
const rule: fc.Arbitrary<ProfileRule> = fc
  .oneof(
    fc.record({ verdict, hours }),
    fc.record({ verdict, morePerMinuteThan: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ verdict, morePerHourThan: fc.integer({ min: 0, max: 6 }) }),
    fc.record(
      {
        verdict,
        levels: some(['low', 'medium', 'high', 'critical'] as const),
        effectClasses: some(['pure', 'idempotent', 'once'] as const),
        actionTypes: some(['OpenApp', 'ReadFile', 'TypeText', 'Wait']),
        apps: some(['mousepad', 'Mousepad.app', 'terminal', 'Files']),
        paths: some(['/home/ann/**', '/home/ann/Reports/*', '/etc/*']),
        hours,
        morePerMinuteThan: fc.integer({ min: 0, max: 4 }),
        morePerHourThan: fc.integer({ min: 0, max: 6 }),
      },
      { requiredKeys: ['verdict'] },
    ),
  )
  .map((each) => each as ProfileRule);

const profileNamed = (name: string): fc.Arbitrary<Profile> =>
  fc.record({
    name: fc.constant(name),
    byLevel: fc.record({ low: verdict, medium: verdict, high: verdict, critical: verdict }),
    rules: fc.array(rule, { maxLength: 4 }),
    requirePlan: fc.boolean(),
  });

const CASES = {
  actions,
  saved: fc.tuple(profileNamed('one'), profileNamed('two')),
  assigned: fc.array(fc.tuple(fc.constantFrom(...USERS), fc.constantFrom('one', 'two', 'trusted')), { maxLength: 3 }),
  others: fc.constantFrom('one', 'assist', 'lockdown'),
  file: fc.oneof(
    fc.tuple(profileNamed('one')),
    fc.tuple(profileNamed('new')),
    fc.tuple(profileNamed('one'), profileNamed('new')),
  ),
  days: fc.constantFrom(1, 7, 30),
};

let count = 0;

/** With every capability, and with none declared. */
const DEVICES = [{ ...ALL, canControlInput: true }, {}].map((capabilities) => {
  return { type: 'linux', name: 'Desk', capabilities };
});

function rowOf(
  { userId, what: [actionType, parameters], level, agoMs, isKept, isDeclared }: Made,
  { nowMs, deviceIds }: { nowMs: number; deviceIds: readonly string[] },
): ActionRow {
  const createdAtMs = nowMs - agoMs;
  count += 1;
  return {
    id: `act_${encodeTime(createdAtMs, 10)}${String(count).padStart(16, '0')}`,
    userId,
    deviceId: String(deviceIds[isDeclared ? 0 : 1]),
    actionType,
    digest: 'd',
    timeoutMs: 1_000,
    status: 'success',
    attempt: 1,
    risk: { level, reasons: ['r'] },
    effectClass: CATALOGUE.get(actionType)?.effectClass ?? 'once',
    effect: 'none',
    details: 'Done.',
    createdAtMs,
    finishedAtMs: createdAtMs,
    artifactCount: 0,
    rule: '',
    ...(isKept && { parameters, sentence: `${actionType} of ${userId}` }),
  };
}

type Counts = Record<'judged' | 'newlyAllowed' | 'newlyAsked' | 'newlyBlocked', number> &
  Record<'now' | 'would', Record<Verdict, number>>;

type Random = {
  rows: readonly ActionRow[];
  all: readonly Made[];
  profileOf(userId: string): Profile;
  file: readonly Profile[];
  days: number;
  nowMs: number;
};

type Rules = { saved: readonly Profile[]; assigned: readonly (readonly [string, string])[]; others: string };

function profileFor(userId: string, { saved, assigned, others }: Rules): Profile {
  const name = new Map(assigned).get(userId) ?? others;
  return [...BUILT_IN_PROFILES, ...saved].find((each) => each.name === name) as Profile;
}

/** Judges every action by itself, and counts its fellows by looking at each of them. */
function bruteForce({ rows, all, profileOf, file, days, nowMs }: Random): Counts {
  const zero = () => ({ allow: 0, ask: 0, block: 0 });
  const counts: Counts = { judged: 0, newlyAllowed: 0, newlyAsked: 0, newlyBlocked: 0, now: zero(), would: zero() };
  rows.forEach((row, index) => {
    if (row.createdAtMs < nowMs - days * DAY_MS) return;
    const now = profileOf(row.userId);
    const would = file.length === 1 ? (file[0] as Profile) : (file.find((each) => each.name === now.name) ?? now);
    const within = (ms: number) =>
      rows.filter(
        (other) => other.userId === row.userId && other.id <= row.id && other.createdAtMs >= row.createdAtMs - ms,
      ).length;
    const definition = CATALOGUE.get(row.actionType);
    const assessed = row.parameters === undefined ? undefined : definition?.assess(row.parameters, {});
    const at = new Date(row.createdAtMs);
    const verdictOf = (profile: Profile): Verdict => {
      const { verdict: judged } = judge(
        {
          actionType: row.actionType,
          effectClass: row.effectClass,
          assessment: {
            ...(assessed?.ok === true
              ? assessed.assessment
              : ({ apps: [], paths: [], capability: definition?.capability ?? null } as never)),
            risk: row.risk,
          },
          capabilities: all[index]?.isDeclared ? { ...ALL, canControlInput: true } : {},
          minuteOfDay: at.getHours() * 60 + at.getMinutes(),
          recent: { perMinute: within(60_000), perHour: within(3_600_000) },
        },
        profile,
      );
      return judged === 'ask' && profile.requirePlan === true ? 'block' : judged;
    };
    const [before, after] = [verdictOf(now), verdictOf(would)];
    counts.judged += 1;
    counts.now[before] += 1;
    counts.would[after] += 1;
    if (before !== after)
      counts[({ allow: 'newlyAllowed', ask: 'newlyAsked', block: 'newlyBlocked' } as const)[after]] += 1;
  });
  return counts;
}

function countsOf({ judged, now, would, newlyAllowed, newlyAsked, newlyBlocked }: PolicyDiff): Counts {
  return {
    judged,
    now,
    would,
    newlyAllowed: newlyAllowed.count,
    newlyAsked: newlyAsked.count,
    newlyBlocked: newlyBlocked.count,
  };
}

test('the comparison equals judging each action by itself, in 1,000 random cases', { timeout: 240_000 }, async () => {
  const rig = startServices();
  const { store, clock } = rig;
  const seen = { changes: 0 };
  const deviceIds = DEVICES.map((device) => rig.services.devices.register('ann', device).device.id);
  await fc.assert(
    fc.asyncProperty(fc.record(CASES), async ({ actions, saved, assigned, others, file, days }) => {
      // All that was before is too old by now.
      clock.setWallClock(clock.nowMs() + 90 * DAY_MS);
      const all = actions.toSorted((one, other) => other.agoMs - one.agoMs);
      const rows = all.map((each) => rowOf(each, { nowMs: clock.nowMs(), deviceIds }));
      store.write('relaxed', () => rows.forEach((row) => void store.actions.insert(row)));
      const profileOf = (userId: string) => profileFor(userId, { saved, assigned, others });
      const permissions = { inForce: () => profileOf, find: () => undefined };
      const policy = createPolicyDiffs(rig.context, { permissions, foldersOf: () => [] });
      const expected = bruteForce({ rows, all, profileOf, file, days, nowMs: clock.nowMs() });
      expect(countsOf(await policy.diff({ profiles: [...file], days }))).toEqual(expected);
      seen.changes += expected.newlyAllowed + expected.newlyAsked + expected.newlyBlocked;
    }),
    { numRuns: 1_000 },
  );
  expect(seen.changes).toBeGreaterThan(1_000);
});

const ALLOW = { low: 'allow', medium: 'allow', high: 'ask', critical: 'ask' } as const;
const CAREFUL = { low: 'ask', medium: 'block', high: 'block', critical: 'block' } as const;
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

test('each change says whose it is, what it was, what decides now, and the latest one in words', async ({ rig }) => {
  for (let times = 0; times < 3; times += 1) await rig.submitted(screenshot);
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 0 } });
  const profiles = [{ name: 'new', byLevel: ALLOW, rules: [] }];
  expect(await rig.services.console.policy.diff({ profiles, days: 30 })).toEqual({
    days: 30,
    judged: 4,
    withoutContents: 0,
    now: { allow: 1, ask: 3, block: 0 },
    would: { allow: 4, ask: 0, block: 0 },
    newlyAllowed: {
      count: 3,
      examples: [
        {
          count: 3,
          userId: 'ann',
          actionType: 'TakeScreenshot',
          from: 'ask',
          rule: 'The profile new allows actions of medium risk.',
          sentence: expect.stringContaining('creen'),
          at: '2026-01-01T00:00:00.000Z',
        },
      ],
    },
    newlyAsked: { count: 0, examples: [] },
    newlyBlocked: { count: 0, examples: [] },
  });
});

test('three kinds of changes are told, the most frequent first, and all are counted', async ({ rig }) => {
  for (const [appName, times] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['d', 4],
  ] as const)
    for (let count = 0; count < times; count += 1)
      await rig.submitted({ actionType: 'QuitApp', parameters: { appName } });
  const rules = ['a', 'b', 'c', 'd'].map((app) => ({ verdict: 'block' as const, apps: [app] }));
  const profiles = [{ name: 'new', byLevel: ALLOW, rules }];
  const { newlyBlocked } = await rig.services.console.policy.diff({ profiles, days: 30 });
  expect([newlyBlocked.count, newlyBlocked.examples.map(({ count }) => count)]).toEqual([10, [4, 3, 2]]);
});

test('where a profile requires plans, a step would ask and a single action would be blocked', async ({ rig }) => {
  await submittedTask(rig, [{ id: 'quit', actionType: 'QuitApp', parameters: { appName: 'a' } }]);
  await settle();
  await answerPrompt(rig, 'allow');
  await rig.submitted(screenshot);
  const profiles = [{ name: 'new', byLevel: { ...ALLOW, medium: 'ask' as const }, rules: [], requirePlan: true }];
  const { judged, would, newlyBlocked } = await rig.services.console.policy.diff({ profiles, days: 1 });
  expect({ judged, would, newlyBlocked: newlyBlocked.count }).toEqual({
    judged: 2,
    newlyBlocked: 1,
    would: { allow: 0, ask: 1, block: 1 },
  });
});

test('a saved profile that applies to nobody is watched over seven days, and one that is not there is refused', async () => {
  const rig = startServices();
  rig.services.console.profiles.put({ name: 'careful', byLevel: CAREFUL, rules: [] });
  await rig.submitted(screenshot);
  rig.clock.setWallClock(rig.clock.nowMs() + 8 * DAY_MS);
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 0 } });
  expect(await rig.services.console.policy.watch('careful')).toMatchObject({
    days: 7,
    judged: 1,
    would: { allow: 0, ask: 1, block: 0 },
    newlyAsked: { count: 1 },
  });
  expect(await rig.services.console.policy.watch('none')).toMatchObject({ refused: 'not_found' });
});

test('a comparison reads in pieces, lets other calls in between, and judges equal cases of a machine once', async ({
  rig,
}) => {
  const { store, clock } = rig;
  const deviceIds = DEVICES.map((device) => rig.services.devices.register('ann', device).device.id);
  const there = { ...(store.devices.findById(String(deviceIds[0])) as DeviceRow), id: 'there', machine: 'studio' };
  store.write('relaxed', () => store.devices.insert(there));
  const one = {
    userId: 'ann',
    what: WHATS[0] as Made['what'],
    level: 'low',
    agoMs: 0,
    isKept: true,
    isDeclared: true,
  } as const;
  const rows = Array.from({ length: 1_200 }, (_, index) =>
    rowOf(one, { nowMs: clock.nowMs(), deviceIds: index < 600 ? deviceIds : ['there', 'there'] }),
  );
  store.write('relaxed', () => rows.forEach((row) => void store.actions.insert(row)));
  const page = vi.spyOn(store.judgedActions, 'page');
  const folders = vi.fn((_userId: string, _machine: string) => []);
  let ms = 0;
  const context = { ...rig.context, clock: { ...clock, monotonicMs: () => ++ms } };
  const assist = BUILT_IN_PROFILES.find(({ name }) => name === 'assist') as Profile;
  const permissions = { inForce: () => () => assist, find: () => undefined };
  const policy = createPolicyDiffs(context, { permissions, foldersOf: folders });
  let turns = 0;
  const others = (async () => {
    while (turns >= 0) {
      turns += 1;
      await nextTurn();
    }
  })();
  expect((await policy.diff({ profiles: [assist], days: 1 })).judged).toBe(1_200);
  expect(page.mock.results.map(({ value }) => value.length)).toEqual([500, 500, 200, 0]);
  expect(folders.mock.calls).toEqual([
    ['ann', 'local'],
    ['ann', 'studio'],
  ]);
  // A slice is over after five looks at the clock.
  expect(turns).toBeGreaterThanOrEqual(200);
  turns = Number.NEGATIVE_INFINITY;
  await others;
});
