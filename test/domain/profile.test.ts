import { describe, expect, test } from 'vitest';
import type { Profile, ProfileRule } from '../../src/contract/profile.ts';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { BUILT_IN_PROFILES, type Case, judge, refusedCapability, stricter } from '../../src/domain/profile.ts';

const assessment: Assessment = {
  risk: { level: 'low', reasons: [] },
  capability: null,
  sentence: '',
  target: null,
  denialTarget: '',
  changes: '',
  isIrreversible: false,
  apps: [],
  paths: [],
};

function caseOf({
  assessment: facts,
  ...overrides
}: Partial<Omit<Case, 'assessment'>> & { assessment?: Partial<Assessment> } = {}): Case {
  return {
    actionType: 'OpenApp',
    effectClass: 'idempotent',
    capabilities: {},
    minuteOfDay: 12 * 60,
    recent: { perMinute: 1, perHour: 1 },
    ...overrides,
    assessment: { ...assessment, ...facts },
  };
}

function builtIn(name: string): Profile {
  const found = BUILT_IN_PROFILES.find((profile) => profile.name === name);
  if (found === undefined) throw new Error(`no profile ${name}`);
  return found;
}

/** A profile that asks about everything, but for the given rules. */
function withRules(...rules: ProfileRule[]): Profile {
  return { name: 'mine', byLevel: { low: 'ask', medium: 'ask', high: 'ask', critical: 'ask' }, rules };
}

describe('the built-in profiles answer each level as RULES.md has it', () => {
  test.each([
    ['observe', 'pure', ['allow', 'block', 'block', 'block']],
    ['observe', 'once', ['block', 'block', 'block', 'block']],
    ['assist', 'once', ['allow', 'ask', 'ask', 'ask']],
    ['trusted', 'once', ['allow', 'allow', 'ask', 'ask']],
    ['lockdown', 'once', ['ask', 'ask', 'block', 'block']],
  ] as const)('%s, %s', (name, effectClass, verdicts) => {
    const levels = ['low', 'medium', 'high', 'critical'] as const;
    const answers = levels.map(
      (level) => judge(caseOf({ effectClass, assessment: { risk: { level, reasons: [] } } }), builtIn(name)).verdict,
    );
    expect(answers).toEqual(verdicts);
  });
});

describe('a rule decides when it should, and does not when it should not', () => {
  test.each<[string, ProfileRule, Parameters<typeof caseOf>[0], Parameters<typeof caseOf>[0]]>([
    ['levels', { verdict: 'block', levels: ['low'] }, {}, { assessment: { risk: { level: 'high', reasons: [] } } }],
    ['effect classes', { verdict: 'block', effectClasses: ['idempotent'] }, {}, { effectClass: 'pure' }],
    ['action types', { verdict: 'block', actionTypes: ['OpenApp'] }, {}, { actionType: 'Wait' }],
    [
      'apps',
      { verdict: 'block', apps: ['textedit'] },
      { assessment: { apps: ['TextEdit'] } },
      { assessment: { apps: ['TextEdit Pro'] } },
    ],
    [
      'path globs',
      { verdict: 'block', paths: ['/home/*/.ssh/**'] },
      { assessment: { paths: ['/home/ann/.ssh/id'] } },
      { assessment: { paths: ['/home/ann/notes'] } },
    ],
    [
      'hours',
      { verdict: 'block', hours: { from: '09:00', to: '17:00' } },
      { minuteOfDay: 9 * 60 },
      { minuteOfDay: 17 * 60 },
    ],
    [
      'hours over midnight',
      { verdict: 'block', hours: { from: '22:00', to: '06:00' } },
      { minuteOfDay: 5 * 60 },
      { minuteOfDay: 6 * 60 },
    ],
    [
      'a cap per minute',
      { verdict: 'block', morePerMinuteThan: 10 },
      { recent: { perMinute: 11, perHour: 11 } },
      { recent: { perMinute: 10, perHour: 100 } },
    ],
    [
      'a cap per hour',
      { verdict: 'block', morePerHourThan: 100 },
      { recent: { perMinute: 1, perHour: 101 } },
      { recent: { perMinute: 1, perHour: 100 } },
    ],
  ])('on %s', (_, rule, matching, other) => {
    expect(judge(caseOf(matching), withRules(rule))).toMatchObject({
      verdict: 'block',
      rule: expect.stringMatching(/^A rule of the profile mine blocks actions .+\.$/),
    });
    expect(judge(caseOf(other), withRules(rule)).verdict).toBe('ask');
  });

  test('only when everything it names holds', () => {
    const rule: ProfileRule = { verdict: 'allow', actionTypes: ['OpenApp'], apps: ['TextEdit'] };
    expect(judge(caseOf({ assessment: { apps: ['TextEdit'] } }), withRules(rule)).verdict).toBe('allow');
    expect(judge(caseOf({ actionType: 'QuitApp', assessment: { apps: ['TextEdit'] } }), withRules(rule)).verdict).toBe(
      'ask',
    );
  });

  test('block before ask before allow, in whichever order the rules are listed', () => {
    const rules: ProfileRule[] = [{ verdict: 'allow' }, { verdict: 'ask' }, { verdict: 'block' }];
    expect(judge(caseOf(), withRules(...rules)).verdict).toBe('block');
    expect(judge(caseOf(), withRules(...rules.slice(0, 2))).verdict).toBe('ask');
    expect(judge(caseOf(), withRules(...rules.slice(0, 1))).verdict).toBe('allow');
  });
});

test('a forbidden action is blocked even where a rule allows everything', () => {
  const judgement = judge(caseOf({ assessment: { forbidden: 'Never.' } }), withRules({ verdict: 'allow' }));
  expect(judgement).toEqual({ verdict: 'block', rule: 'Never.' });
});

test('a capability the device did not mention turns an allow into an ask, and nothing else', () => {
  const needs = { assessment: { capability: 'canOpenApps' as const } };
  expect(judge(caseOf(needs), builtIn('assist')).verdict).toBe('ask');
  expect(judge(caseOf({ ...needs, capabilities: { canOpenApps: true } }), builtIn('assist')).verdict).toBe('allow');
  expect(judge(caseOf(needs), withRules({ verdict: 'block' })).verdict).toBe('block');
});

test('a capability the device refused is named, one it left open is not', () => {
  const needs = { ...assessment, capability: 'canCaptureScreen' as const };
  expect(refusedCapability(needs, { canCaptureScreen: false })).toBe('canCaptureScreen');
  expect(refusedCapability(needs, {})).toBeUndefined();
});

test('a named profile can narrow and never widen', () => {
  const [allow, ask, block] = (['allow', 'ask', 'block'] as const).map((verdict) => ({ verdict, rule: verdict }));
  if (allow === undefined || ask === undefined || block === undefined) throw new Error('three judgements');
  expect(stricter(ask, allow)).toBe(ask);
  expect(stricter(allow, ask)).toBe(ask);
  expect(stricter(ask, block)).toBe(block);
});
