import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { doneResult, failedResult } from '../../src/mcp/results.ts';

const ACTION: Action = {
  actionId: 'a',
  actionType: 'Click',
  targetDeviceId: 'd',
  userId: 'u',
  status: 'success',
  effect: 'unverified',
  details: 'Clicked.',
  risk: { level: 'medium', reasons: [] },
  createdAt: '2026-01-01T00:00:00.000Z',
};
const textOf = ({ content }: ReturnType<typeof doneResult>) => content.map((each) => Object(each).text).join('\n');

test('a click that shows no change says so, and that it is not to be repeated blindly', () => {
  const result = doneResult({ ...ACTION, data: { delivered: 'yes', safeToRepeat: false } });
  expect(textOf(result)).toContain(
    'Nothing shows that it changed anything. Do not repeat it before you took a new look.',
  );
  expect(result.structuredContent).toMatchObject({ data: { delivered: 'yes', safeToRepeat: false } });
});

test('an action that was seen to work may be repeated where that does no harm', () => {
  const data = { delivered: 'yes', safeToRepeat: true };
  expect(textOf(doneResult({ ...ACTION, effect: 'confirmed', data }))).toMatch(
    /The desktop got it\. It is safe to repeat\./,
  );
  expect(textOf(doneResult(ACTION))).toBe('Clicked.');
});

test.each(['stale_frame', 'target_changed', 'target_gone', 'interrupted_by_person'])(
  'after %s a model is told to take a new look',
  (code) => {
    const error = Object.assign({ message: 'No.', retryable: false }, { code });
    const failed = failedResult({ ...ACTION, status: 'failed', error: Object(error) });
    expect(textOf(failed)).toMatch(new RegExp(`^${code}: No\\.[^]*new look`));
  },
);

test('a failure tells what the desktop got, in its text and in its structure', () => {
  const error = { code: 'internal_error', message: 'No.', retryable: false } as const;
  const data = { delivered: 'unknown', safeToRepeat: false };
  const failed = failedResult({ ...ACTION, status: 'failed', error, data });
  expect(textOf(failed)).toContain('The desktop may have got it or not.');
  expect(failed.structuredContent).toMatchObject(data);
});

test('a click on what has changed tells each thing once: that nothing was done, and to look before it is submitted again', () => {
  const error = {
    code: 'target_changed',
    message: 'Its name is another one. Nothing was done.',
    fix: 'Submit it again, so that it is judged as it is now.',
    retryable: true,
  } as const;
  const data = { delivered: 'no', safeToRepeat: true };
  expect(textOf(failedResult({ ...ACTION, status: 'failed', error, data })).split('\n')).toEqual([
    'target_changed: Its name is another one. Nothing was done.',
    'Submit it again, so that it is judged as it is now.',
    'Take a new look first: it is not what it was.',
    'The desktop got nothing of it. It is safe to repeat.',
  ]);
});

test('a request of which nobody could learn has its own advice, and not that of one that nobody answered', () => {
  const error = {
    code: 'nobody_reached',
    message: 'Nobody could be reached.',
    fix: 'Ask them.',
    retryable: false,
  } as const;
  expect(textOf(failedResult({ ...ACTION, status: 'expired', error }))).toBe(
    'nobody_reached: Nobody could be reached.\nAsk them.',
  );
  expect(textOf(failedResult({ ...ACTION, status: 'expired' }))).toContain('ask once more only if it still matters');
});
