import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNotices } from '../../renderer/src/notices.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const NEWS = { tone: 'news', text: '20 prompts within an hour' };
const quiet = () => undefined;

test('what has just happened goes away by itself', () => {
  const notices = createNotices();
  notices.done('Allowed');
  vi.advanceTimersByTime(7_999);
  expect(notices.get()).toEqual({ tone: 'done', text: 'Allowed' });
  vi.advanceTimersByTime(1);
  expect(notices.get()).toBeUndefined();
});

test('what is worth knowing stays until it is closed, and that is said once', () => {
  const notices = createNotices();
  let closed = 0;
  notices.news(NEWS.text, () => {
    closed += 1;
  });
  vi.advanceTimersByTime(600_000);
  expect([notices.get(), closed]).toEqual([NEWS, 0]);
  notices.clear();
  notices.clear();
  expect([notices.get(), closed]).toEqual([undefined, 1]);
});

test('what happens is said first, and what is worth knowing comes back after it', () => {
  const notices = createNotices();
  notices.done('Allowed');
  notices.news(NEWS.text, quiet);
  expect(notices.get()).toEqual({ tone: 'done', text: 'Allowed' });
  vi.advanceTimersByTime(8_000);
  expect(notices.get()).toEqual(NEWS);
  notices.problem('Denied elsewhere');
  notices.clear();
  expect(notices.get()).toEqual(NEWS);
  notices.outcome({ ok: true, value: undefined });
  expect(notices.get()).toEqual(NEWS);
});

test('a call that did not work is said as a problem, with its reason, and one that worked by its own words', () => {
  const notices = createNotices();
  notices.outcome({ ok: false, failure: { code: 'paused', detail: '' } }, 'Allowed');
  expect(notices.get()).toEqual({ tone: 'problem', text: 'Handrail is paused. Resume it first.' });
  notices.outcome({ ok: true, value: undefined }, 'Allowed');
  expect(notices.get()).toEqual({ tone: 'done', text: 'Allowed' });
});
