import { expect, test } from 'vitest';
import { profileSentence } from '../../renderer/src/people/profile-words.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { BUILT_IN_PROFILES } from '../../src/domain/profile.ts';

const custom: Profile = {
  name: 'office-hours',
  byLevel: { low: 'allow', medium: 'allow', high: 'ask', critical: 'block' },
  rules: [],
};

test('every built-in profile is explained in a sentence of its own', () => {
  const sentences = BUILT_IN_PROFILES.map((profile) => profileSentence({ ...profile, builtIn: true }));
  expect(sentences).toEqual([
    'Only reads of low risk run; everything else is blocked.',
    'Low risk runs; you are asked about the rest.',
    'Low and medium risk run; you are asked about the rest.',
    'You are asked about everything of low and medium risk; high and critical are blocked.',
  ]);
});

test('a profile of the person is explained by what it says to each level', () => {
  expect(profileSentence({ ...custom, builtIn: false })).toBe(
    'Low and medium risk runs without asking; high risk asks you; critical risk is blocked.',
  );
});

test('a profile that says the same to every level says it once', () => {
  const byLevel = { low: 'block', medium: 'block', high: 'block', critical: 'block' } as const;
  expect(profileSentence({ ...custom, byLevel, builtIn: false })).toBe('Everything is blocked.');
});

test.each([
  [1, 'a rule of its own comes first'],
  [2, '2 rules of its own come first'],
])('with %i rules it is said that these come first', (count, words) => {
  const rules = Array.from({ length: count }, () => ({ verdict: 'block' as const }));
  expect(profileSentence({ ...custom, rules, builtIn: false })).toContain(`; ${words}.`);
});

test('a profile that requires plans says so', () => {
  expect(profileSentence({ ...custom, requirePlan: true, builtIn: false })).toMatch(
    /is blocked\. You are asked about plans only; a single action that would ask is blocked\.$/,
  );
});
