import type { Driver } from '../../../agent/drivers/driver.ts';
import { createMacosDriver } from '../../../agent/drivers/macos/driver.ts';
import type { Converse } from '../../../agent/drivers/macos/script-reader.ts';
import type { Attempt, Done, Failed, Outcome } from '../../../agent/drivers/outcome.ts';
import { createFakePrograms, type FakePrograms } from './fake-programs.ts';
import { createOffice, type Office } from './office.ts';

export type MacRig = Office & { driver: Driver; programs: FakePrograms };

/** A driver on the office's Mac, whose time passes only while the driver waits. */
export function createMacRig(
  options: { portableCapture?: () => Promise<Uint8Array>; converse?: Converse } = {},
): MacRig {
  const office = createOffice();
  const programs = createFakePrograms(office.mac);
  const { clock } = office.mac;
  const driver = createMacosDriver({
    converse: programs.converse,
    ...options,
    run: programs.run,
    clock: {
      now: clock.now,
      wait: async (delayMs) => {
        clock.advance(delayMs);
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  });
  return { ...office, driver, programs };
}

export const unhurried: Attempt = { signal: new AbortController().signal, deadlineMs: 30_000 };

export function done<Data>(outcome: Outcome<Data>): Done<Data> {
  if (!outcome.ok) throw new Error(`expected success, got ${outcome.code}: ${outcome.message}`);
  return outcome;
}

export function failed(outcome: Outcome<unknown>): Failed {
  if (outcome.ok) throw new Error(`expected a failure, got: ${outcome.details}`);
  return outcome;
}

/** The commands given to a program, as one would type them. */
export function commandsOf({ started }: FakePrograms, program: string): string[] {
  return started.filter((run) => run.program === program).map((run) => run.args.join(' '));
}
