import { expect, test } from 'vitest';
import { instant, readQuery, text, wholeNumber, words } from '../../src/http/query.ts';

test.each([
  [0, { value: 0 }],
  [99_999_999_999, { complaint: expect.stringContaining('must be in milliseconds') }],
  [100_000_000_000, { value: 100_000_000_000 }],
])('the number %d as a moment', (came, expected) => {
  expect(instant(() => 0).read(String(came))).toEqual(expected);
});

test.each([
  ['1s', 999_000],
  ['1m', 940_000],
])('the span %s back from now', (came, value) => {
  expect(instant(() => 1_000_000).read(came)).toEqual({ value });
});

test('of mistyped words the first five are guessed', () => {
  const known = ['success', 'failed', 'denied', 'expired', 'blocked', 'running'];
  const mistyped = ['sucess', 'faild', 'denid', 'expird', 'blockd', 'runing'];
  const read = words(known).read(mistyped.join(','));
  const notice = 'notice' in read ? read.notice : '';
  expect(notice).toContain('Did you mean success, failed, denied, expired, blocked? Known are');
});

test('of a mistyped name the first 64 characters are compared', () => {
  const rest = 'b'.repeat(44);
  const query = readQuery(
    { [`${'x'.repeat(20)}${rest}${'o'.repeat(400)}`]: 'x' },
    { [`${'a'.repeat(20)}${rest}`]: text },
  );
  expect('notices' in query ? query.notices : []).toEqual([expect.stringContaining('Did you mean aaaa')]);
});

test('a number below the least is refused, and one above the most counts as the most', () => {
  const points = wholeNumber({ from: 2, to: 400, usually: 60 });
  expect(['1', '2', '400', '401'].map((came) => points.read(came))).toEqual([
    { complaint: 'must be a number from 2 to 400' },
    { value: 2 },
    { value: 400 },
    { value: 400 },
  ]);
});
