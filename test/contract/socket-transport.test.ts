import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSocketTransport } from '../../src/contract/socket-transport.ts';

/** A socket that only notes how it was closed. */
class FakeSocket extends EventEmitter {
  readonly reasons: string[] = [];
  terminations = 0;
  readonly send = () => undefined;
  readonly ping = () => undefined;
  close(_code: number, reason: string): void {
    this.reasons.push(reason);
  }
  terminate(): void {
    this.terminations += 1;
  }
}

test.each([
  ['a'.repeat(123), 'a'.repeat(123)],
  ['a'.repeat(124), 'a'.repeat(123)],
  [`${'a'.repeat(122)}é`, 'a'.repeat(122)],
])('a reason to close has 123 bytes at most, in whole characters', (reason, sent) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const socket = new FakeSocket();
  createSocketTransport(socket).close(4_400, reason);
  expect(socket.reasons).toEqual([sent]);
});

test.each([
  [999, 0],
  [1_000, 1],
])('%d ms after a close that was not answered, the socket was cut %d times', (afterMs, terminations) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const socket = new FakeSocket();
  createSocketTransport(socket).close(1_000, 'done');
  vi.advanceTimersByTime(afterMs);
  expect(socket.terminations).toBe(terminations);
});

test('a socket whose close was answered is not cut', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const socket = new FakeSocket();
  createSocketTransport(socket).close(1_000, 'done');
  socket.emit('close', 1_000, Buffer.alloc(0));
  vi.advanceTimersByTime(10_000);
  expect(socket.terminations).toBe(0);
});
