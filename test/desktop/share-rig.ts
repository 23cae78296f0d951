import { afterAll } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { type Rig, startRig } from './rig.ts';

/** A desktop for all tests of a file. */
export async function shareRig(...options: Parameters<typeof startRig>): Promise<Rig> {
  const rig = await startRig(...options);
  afterAll(rig.close);
  return rig;
}

/** The same with the driver of Linux on it. */
export async function shareDriver(...options: Parameters<typeof startRig>): Promise<{ rig: Rig; driver: Driver }> {
  const rig = await shareRig(...options);
  const driver = createLinuxDriver({ ...process.env, ...rig.env });
  afterAll(() => driver.close());
  return { rig, driver };
}
