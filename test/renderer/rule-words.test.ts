import { expect, test } from 'vitest';
import { type RuleDraft, ruleOf, ruleSentence } from '../../renderer/src/access/rule-words.ts';

const DRAFT: RuleDraft = { verdict: 'block', apps: '', paths: '', from: '', to: '' };

test('a rule is a sentence with all of its conditions', () => {
  expect(
    ruleSentence({
      verdict: 'block',
      apps: ['Mail', 'Notes', 'Chat'],
      paths: ['~/Secret/**'],
      hours: { from: '22:00', to: '06:00' },
      actionTypes: ['OpenApp'],
      levels: ['low', 'medium'],
      effectClasses: ['once'],
      morePerMinuteThan: 5,
      morePerHourThan: 50,
    }),
  ).toBe(
    'Is blocked if the app is Mail, Notes or Chat, and the path is ~/Secret/**, and it is between 22:00 and 06:00, and the action type is OpenApp, and the risk is low or medium, and the effect class is once, and there are more than 5 requests a minute, and there are more than 50 requests an hour',
  );
  expect(ruleSentence({ verdict: 'ask' })).toBe('Asks you always');
});

test('a draft with an app, a path or hours is a rule; blank lines are left out', () => {
  expect(ruleOf({ ...DRAFT, apps: ' Mail \n\nNotes\n' })).toEqual({ verdict: 'block', apps: ['Mail', 'Notes'] });
  expect(ruleOf({ ...DRAFT, verdict: 'allow', paths: '~/a, b/*' })).toEqual({ verdict: 'allow', paths: ['~/a, b/*'] });
  expect(ruleOf({ ...DRAFT, from: '09:00', to: '17:00' })).toEqual({
    verdict: 'block',
    hours: { from: '09:00', to: '17:00' },
  });
});

test('a draft without a condition, or with half of its hours, is refused in words', () => {
  expect(ruleOf({ ...DRAFT, apps: ' \n' })).toBe('A rule needs an app, a path or hours.');
  expect(ruleOf({ ...DRAFT, apps: 'Mail', to: '17:00' })).toBe('Hours need a beginning and an end.');
});
