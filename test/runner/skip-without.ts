import { beforeEach, type TestContext } from 'vitest';
import { MACHINE_NEEDS, type MachineNeed, machineHas } from './machine-needs.ts';

/** Skips a test, with the reason, where the machine lacks something. */
export function skipWithout(need: MachineNeed, { skip }: Pick<TestContext, 'skip'>): void {
  skip(!machineHas(need), MACHINE_NEEDS[need]);
}

/** The same for each test of the group, or of the file, in which it is called. */
export function skipAllWithout(need: MachineNeed): void {
  beforeEach((context) => skipWithout(need, context));
}
