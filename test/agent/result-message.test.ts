import { expect, test } from 'vitest';
import { resultMessageOf } from '../../agent/result-message.ts';

const KEY = { actionId: 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV', attempt: 1 };

test('a result has eight attachments at most, and one with more is a failure that says so', () => {
  const sent = (count: number) => {
    const attachment = { mediaType: 'text/plain', bytes: Buffer.from('x') } as const;
    const attachments = Array.from({ length: count }, () => attachment);
    const { text, frames } = resultMessageOf(KEY, {
      ok: true,
      details: 'Done.',
      effect: 'none',
      data: {},
      attachments,
    });
    return { frames: frames.length, message: JSON.parse(text).error?.message };
  };
  expect(sent(8)).toEqual({ frames: 8, message: undefined });
  expect(sent(9)).toEqual({ frames: 0, message: 'Expected at most 8 attachments, got 9.' });
});

test.each([
  [20_000, 20_000],
  [20_001, 20_000],
])('of details with %d characters %d are sent', (length, sentLength) => {
  const { text } = resultMessageOf(KEY, { ok: true, details: 'd'.repeat(length), effect: 'none', data: {} });
  expect(JSON.parse(text).result.details).toHaveLength(sentLength);
});
