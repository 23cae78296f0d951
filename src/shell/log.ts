import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';

type ErrorLog = { error(fields: object, message: string): void };

/** Takes a step of the app that may fail without ending the app: the failure is logged under `message`. */
export function orLogged(step: () => void, message: string, log: ErrorLog): void {
  try {
    step();
  } catch (error) {
    log.error({ err: error }, message);
  }
}

/** Takes the steps in order. A step runs even if the one before it failed. A failure is logged under `message`. */
export async function inOrder(steps: readonly (() => unknown)[], message: string, log: ErrorLog): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error({ err: error }, message);
    }
  }
}

/** A log larger than this is put aside when the app starts; the one before it goes. */
const MOST_BYTES = 10 * 1024 * 1024;

/** An app has no terminal, so its log is `handrail.log` in this folder, which only its user can read. Throws when it cannot be opened. */
export function openLogFile(folder: string, { mostBytes = MOST_BYTES } = {}): ReturnType<typeof pino.destination> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'handrail.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > mostBytes) renameSync(path, `${path}.before`);
  const destination = pino.destination({ dest: path, mode: 0o600, sync: true });
  // Without a listener a full disk under the log would throw wherever something is logged. There is nowhere to say it.
  destination.on('error', () => undefined);
  return destination;
}
