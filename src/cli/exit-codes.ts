import type { ActionStatus } from '../contract/action.ts';
import type { Task } from '../contract/task.ts';

export const EXIT = { done: 0, other: 1, usage: 2, denied: 3, expired: 4, failed: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_STATUS: Readonly<Record<ActionStatus, ExitCode>> = {
  success: EXIT.done,
  denied: EXIT.denied,
  blocked: EXIT.denied,
  expired: EXIT.expired,
  failed: EXIT.failed,
  // The action was sent and its end is not known. A script must not take that for done.
  unknown: EXIT.failed,
  cancelled: EXIT.other,
  awaiting_confirmation: EXIT.other,
  queued: EXIT.other,
  running: EXIT.other,
};

export function exitCodeOf(status: ActionStatus): ExitCode {
  return BY_STATUS[status];
}

/** A task that was not done exits with its first cause: a denial, then an expiry, then a failure. */
export function exitCodeOfTask({ status, steps }: Pick<Task, 'status' | 'steps'>): ExitCode {
  if (status === 'success') return EXIT.done;
  const has = (...wanted: string[]) => steps.some((step) => wanted.includes(step.status));
  if (has('denied', 'blocked')) return EXIT.denied;
  if (has('expired')) return EXIT.expired;
  return status === 'cancelled' ? EXIT.other : EXIT.failed;
}
