import { expect, test } from 'vitest';
import { leftMs } from '../../renderer/src/prompt/Answers.tsx';
import { ALLOW_WORDS, SCOPE_WORDS } from '../../renderer/src/prompt/scope-words.ts';

test('each scope has its own words on the button and beside it', () => {
  expect(ALLOW_WORDS).toEqual({
    once: 'Allow once',
    task: 'Allow for this task',
    minutes15: 'Allow for 15 minutes',
    untilQuit: 'Allow until quit',
    always: 'Always allow',
  });
  expect(SCOPE_WORDS).toEqual({
    once: 'Once',
    task: 'This task',
    minutes15: '15 minutes',
    untilQuit: 'Until quit',
    always: 'Always',
  });
});

test('the page never promises more time than there is, although its clock goes in steps', () => {
  const expiresAt = new Date(100_000).toISOString();
  // The clock of the page shows 90,000 until it is 90,250.
  expect(leftMs({ expiresAt, steppedNowMs: 90_000, stepMs: 250 })).toBe(9_750);
  expect(leftMs({ expiresAt, steppedNowMs: 99_750, stepMs: 250 })).toBe(0);
});
