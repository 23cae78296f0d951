import type { SideEffect } from '../../src/contract/action.ts';
import type { Attempt, Failed } from './outcome.ts';

/** The signal of an attempt, which also aborts by itself when the attempt's time is over. */
export function withinDeadline({ signal, deadlineMs }: Attempt): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
}

/** Why the agent itself stops an attempt: the daemon's thread does not answer. Else the reason is a `CancelReason`. */
export const DAEMON_STUCK = 'daemon_stuck';

/** The failure of a stopped attempt: `timeout` at its deadline, `agent_unavailable` if it was called off. */
export function stoppedFailure(signal: AbortSignal, sideEffect: SideEffect): Failed {
  if (isTimeout(signal.reason)) {
    return { ok: false, code: 'timeout', message: `The time for this was over${endings[sideEffect]}`, sideEffect };
  }
  if (signal.reason === DAEMON_STUCK) {
    const message = `Handrail's daemon did not answer for 2 s and could not have stopped this, so the agent stopped it${endings[sideEffect]}`;
    return { ok: false, code: 'internal_error', message, sideEffect };
  }
  return {
    ok: false,
    code: 'agent_unavailable',
    message: `Stopped (${String(signal.reason)})${endings[sideEffect]}`,
    sideEffect,
  };
}

/** The result of the work, or `stopped` once the signal aborts; the work itself continues. */
export function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | 'stopped'> {
  const { promise, resolve } = Promise.withResolvers<'stopped'>();
  const stop = () => resolve('stopped');
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

const endings = {
  none: ' before anything was done.',
  done: '; the part done by then stays done.',
  unknown: '; something may have been done by then.',
} satisfies Record<SideEffect, string>;

function isTimeout(reason: unknown): boolean {
  return reason === 'timeout' || (reason instanceof DOMException && reason.name === 'TimeoutError');
}
