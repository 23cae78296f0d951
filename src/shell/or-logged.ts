export type ErrorLog = { error(fields: object, message: string): void };

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
