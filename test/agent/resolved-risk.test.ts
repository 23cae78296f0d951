import { expect, test } from 'vitest';
import { refuseUnjudgedApp } from '../../agent/drivers/resolved-risk.ts';

const notes = { name: 'Harmless Notes', alsoKnownAs: ['notes', 'xterm'] };

test('an app that is a terminal under another name is not touched when only low risk was judged', () => {
  expect(refuseUnjudgedApp(notes, { riskLevel: 'low' })).toEqual({
    ok: false,
    code: 'invalid_target',
    message: 'The name leads to “Harmless Notes” (xterm), a terminal; that risk was not judged, so nothing was done.',
    fix: 'Ask for “xterm” by that name, so that the person is asked with the right risk.',
    sideEffect: 'none',
  });
});

test.each(['high', 'critical'] as const)('it is when %s risk was judged and allowed', (riskLevel) => {
  expect(refuseUnjudgedApp(notes, { riskLevel })).toBeNull();
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
