import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endWithProblem, refuse } from '../../src/http/problem-response.ts';

test.each([
  [499, false],
  [500, true],
])('%d ms after a refusal, a peer that goes on sending was cut off: %s', (afterMs, isCut) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = new PassThrough();
  endWithProblem(socket, refuse('rate_limited', 'Too many connections.'), 'req_1');
  vi.advanceTimersByTime(afterMs);
  expect(socket.destroyed).toBe(isCut);
});
