import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClosing } from '../../src/daemon/closing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig() {
  const closed = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  const closing = createClosing({
    close: () => {
      seen.push('close');
      return closed.promise;
    },
    exit: (code) => seen.push(code),
    nowMs: () => Date.now(),
  });
  return { closed, seen, closing };
}

test('a signal closes the daemon, and then the process ends with code 0', async () => {
  const { closed, seen, closing } = rig();
  closing();
  expect(seen).toEqual(['close']);
  closed.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['close', 0]);
});

test('the same signal again within a second changes nothing', () => {
  const { seen, closing } = rig();
  closing();
  closing();
  vi.advanceTimersByTime(1_000);
  closing();
  expect(seen).toEqual(['close']);
});

test('a signal more than a second after the first ends the process at once with code 1', () => {
  const { seen, closing } = rig();
  closing();
  vi.advanceTimersByTime(1_001);
  closing();
  expect(seen).toEqual(['close', 1]);
});

test('a close that does not end is given ten seconds', () => {
  const { seen, closing } = rig();
  closing();
  vi.advanceTimersByTime(9_999);
  expect(seen).toEqual(['close']);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual(['close', 0]);
});
