import type { Driver } from '../../../agent/drivers/driver.ts';
import type { InputDriver } from '../../../agent/drivers/input.ts';
import { createMacosDriver } from '../../../agent/drivers/macos/driver.ts';
import type { Converse } from '../../../agent/drivers/macos/script-reader.ts';
import type { Attempt, Done, Failed, Outcome } from '../../../agent/drivers/outcome.ts';
import { createFakePrograms, type FakePrograms } from './fake-programs.ts';
import { createOffice, type Office } from './office.ts';

export type MacRig = Office & { driver: Driver; input: InputDriver; programs: FakePrograms };

/** A driver on the office's Mac, whose time passes only while the driver waits. */
export function createMacRig({ pause = nextTurn, ...options }: RigOptions = {}): MacRig {
  const office = createOffice();
  const programs = createFakePrograms(office.mac);
  const { clock } = office.mac;
  const needs = {
    converse: programs.converse,
    ...options,
    run: programs.run,
    clock: {
      now: clock.now,
      wait: async (delayMs: number) => {
        clock.advance(delayMs);
        await pause();
      },
    },
  };
  const driver = createMacosDriver(needs);
  return { ...office, driver, programs, input: driver.input() };
}

type RigOptions = {
  portableCapture?: () => Promise<Uint8Array>;
  converse?: Converse;
  /** The real time that passes while the driver waits. */
  pause?: () => Promise<void>;
};

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
