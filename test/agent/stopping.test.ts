import { expect, test } from 'vitest';
import { stoppedFailure, unlessStopped, withinDeadline } from '../../agent/drivers/stopping.ts';

test('work that ends first is what comes of it, and its failure too', async () => {
  const { signal } = new AbortController();
  expect(await unlessStopped(Promise.resolve(7), signal)).toBe(7);
  await expect(unlessStopped(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});

test('work that never ends is left when its signal aborts, also when that was before', async () => {
  const controller = new AbortController();
  const never = new Promise<number>(() => undefined);
  const left = unlessStopped(never, controller.signal);
  controller.abort('requested');
  expect(await left).toBe('stopped');
  expect(await unlessStopped(never, controller.signal)).toBe('stopped');
});

test('an attempt ends by itself at its deadline', async () => {
  const signal = withinDeadline({ signal: new AbortController().signal, deadlineMs: 10 });
  expect(await unlessStopped(new Promise(() => undefined), signal)).toBe('stopped');
  expect(stoppedFailure(signal, 'done')).toEqual({
    ok: false,
    code: 'timeout',
    message: 'The time for this was over; the part done by then stays done.',
    sideEffect: 'done',
  });
});

test.each([
  ['timeout', 'timeout', 'The time for this was over before anything was done.'],
  ['requested', 'agent_unavailable', 'Stopped (requested) before anything was done.'],
])('an attempt stopped for the reason %s fails with %s', (reason, code, message) => {
  const signal = AbortSignal.abort(reason);
  expect(stoppedFailure(signal, 'none')).toEqual({ ok: false, code, message, sideEffect: 'none' });
});
