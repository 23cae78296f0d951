import { isStorageError } from '../../store/database/database.ts';
import type { Context } from '../context.ts';

/** How soon a change is tried again that the storage did not take. */
export const STORAGE_RETRY_MS = 1_000;

/** Whether something was thrown because the storage did not take a change, or could not be read. */
export function isStorageFailure(error: unknown): boolean {
  return isStorageError(error);
}

/**
 * Makes a change that no caller waits for, now or as soon as the storage works again: a full disk must not end the daemon.
 * The change may run much later, so it must read its rows again.
 */
export function untilStored({ clock, log }: Pick<Context, 'clock' | 'log'>, change: () => void): void {
  const failure = attempt(change);
  if (failure === undefined) return;
  log.error({ err: failure }, 'a change could not be stored; it is tried again until it can');
  const again = (): void => {
    clock.after(STORAGE_RETRY_MS, () => {
      if (attempt(change) !== undefined) again();
    });
  };
  again();
}

/** Makes a change now or never: where the storage does not take it, this is said in the log. */
export function tryToStore({ log }: Pick<Context, 'log'>, otherwise: string, change: () => void): void {
  const failure = attempt(change);
  if (failure !== undefined) log.error({ err: failure }, otherwise);
}

function attempt(change: () => void): unknown {
  try {
    change();
    return undefined;
  } catch (error) {
    if (isStorageFailure(error)) return error;
    throw error;
  }
}
