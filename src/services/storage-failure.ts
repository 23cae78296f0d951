import { StorageUnavailable } from '../store/database.ts';

/** Whether something was thrown because the storage did not take a change. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof StorageUnavailable;
}
