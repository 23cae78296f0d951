import { expect, test } from 'vitest';
import { isSoon } from '../../renderer/src/prompt/Answers.tsx';
import { isNew } from '../../renderer/src/prompt/WhoAsks.tsx';
import { durationWords, expiryChoices } from '../../renderer/src/settings/SettingsPage.tsx';

test.each([
  [15_001, false],
  [15_000, true],
])('with %d ms left the page says when the request expires: %s', (left, soon) => {
  expect(isSoon(left)).toBe(soon);
});

test.each([
  [3_599_999, true],
  [3_600_000, false],
])('a requester that was first seen %d ms ago is new: %s', (agoMs, isFirstSeen) => {
  expect(isNew(1_000, 1_000 + agoMs)).toBe(isFirstSeen);
});

test('requests can expire after these times, and after the present one', () => {
  const words = (presentMs: number) => expiryChoices(presentMs).map(durationWords);
  const usual = ['30 seconds', '60 seconds', '90 seconds', '2 minutes', '5 minutes', '10 minutes'];
  expect([words(30_000), words(45_000)]).toEqual([usual, ['30 seconds', '45 seconds', ...usual.slice(1)]]);
});
