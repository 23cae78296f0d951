import { describe, expect, test } from 'vitest';
import { refuseUnjudgedApp, risksOf } from '../../agent/drivers/resolved-risk.ts';

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
