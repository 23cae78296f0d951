import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../agent/drivers/driver.ts';
import { type AppIdentity, refuseApp, resolvedApp, risksOf } from '../../agent/drivers/resolved-risk.ts';

function refuseUnjudgedApp(identity: AppIdentity, judged: Partial<Attempt>) {
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000, ...judged };
  return refuseApp(identity.name, resolvedApp(identity), attempt);
}

const notes = { name: 'Harmless Notes', alsoKnownAs: ['notes', 'xterm'] };

test('an app that is a terminal under another name is not touched when only low risk was judged', () => {
  expect(refuseUnjudgedApp(notes, { riskLevel: 'low' })).toEqual({
    ok: false,
    code: 'invalid_target',
    message:
      '“Harmless Notes” leads to “xterm”, which is a terminal. That is high risk, but the action was judged at low risk; nothing was done.',
    fix: 'Submit the action again: Handrail then looks the app up and asks the person at the right risk.',
    sideEffect: 'none',
  });
});

test.each(['high', 'critical'] as const)('it is when %s risk was judged and allowed', (riskLevel) => {
  expect(refuseUnjudgedApp(notes, { riskLevel })).toBeNull();
});

test('it is not when medium risk was judged', () => {
  expect(refuseUnjudgedApp(notes, { riskLevel: 'medium' })).toMatchObject({ code: 'invalid_target' });
});

describe('an app whose entry reveals a medium risk', () => {
  const shell = {
    name: 'Tool',
    alsoKnownAs: ['tool'],
    risks: [{ level: 'medium', reason: '“Tool” runs sh.' }],
  } as const;

  test.each([
    ['low', 'refused'],
    ['medium', 'let through'],
    ['high', 'let through'],
  ] as const)('is, at %s risk, %s', (riskLevel, expected) => {
    expect(refuseUnjudgedApp(shell, { riskLevel }) === null ? 'let through' : 'refused').toBe(expected);
  });

  test('keeps that risk beside a sensitive name', () => {
    expect(risksOf({ ...shell, alsoKnownAs: ['xterm'] })).toEqual([
      { level: 'high', reason: '“Tool” leads to “xterm”, which is a terminal.' },
      { level: 'medium', reason: '“Tool” runs sh.' },
    ]);
  });
});

test('an app that is nothing special is', () => {
  expect(
    refuseUnjudgedApp({ name: 'Mousepad', alsoKnownAs: ['mousepad', 'Text Editor'] }, { riskLevel: 'low' }),
  ).toBeNull();
});

test.each(['Firefox', 'firefox-esr', 'org.mozilla.firefox.desktop', 'FIREFOX  ESR'])(
  'an app for which the person has a rule, here as %s, is not touched under a name that got around it',
  (ruled) => {
    const firefox = { name: 'Firefox ESR', alsoKnownAs: ['org.mozilla.firefox', 'firefox-esr', 'firefox'] };
    expect(refuseUnjudgedApp(firefox, { riskLevel: 'high', unjudgedApps: ['Thunderbird', ruled] })).toEqual({
      ok: false,
      code: 'invalid_target',
      message: `The name leads to “Firefox ESR”, and the rules for “${ruled}” were not applied; nothing was done.`,
      fix: `Ask for “${ruled}” by that name, so that its rules are applied.`,
      sideEffect: 'none',
    });
  },
);

test('Handrail under another name never is', () => {
  const disguised = { name: 'Helper', alsoKnownAs: ['com.example.handrail'] };
  expect(refuseUnjudgedApp(disguised, { riskLevel: 'critical' })).toMatchObject({
    code: 'invalid_target',
    sideEffect: 'none',
  });
});

describe('an app that was judged as a target', () => {
  const judged = resolvedApp(notes);
  const targets: Attempt['targets'] = [{ kind: 'app', name: 'Harmless Notes', app: judged }];

  test('is touched while it is the same, at whatever risk it has', () => {
    expect(refuseUnjudgedApp(notes, { targets, riskLevel: 'low' })).toBeNull();
  });

  test.each([
    ['which app it is', { ...notes, bundleId: 'org.example.other' }],
    ['the programs or names behind it', { ...notes, alsoKnownAs: ['notes', 'xterm', 'sh'] }],
    ['its risks', { ...notes, risks: [{ level: 'critical', reason: 'It erases the disk.' }] as const }],
  ])('is refused when another app is behind the name by now: %s', (fact, now) => {
    const refusal = refuseUnjudgedApp(now, { targets });
    expect(refusal).toMatchObject({ code: 'target_changed', sideEffect: 'none' });
    expect(refusal?.message).toContain(`Changed: ${fact}`);
    expect(refusal?.message).not.toMatch(/other|erases/);
  });

  test('is refused as Handrail, even if Handrail was judged', () => {
    const own = { name: 'Helper', alsoKnownAs: ['com.example.handrail'] };
    const asOwn: Attempt['targets'] = [{ kind: 'app', name: 'Helper', app: resolvedApp(own) }];
    expect(refuseUnjudgedApp(own, { targets: asOwn })).toMatchObject({ code: 'invalid_target' });
  });
});
