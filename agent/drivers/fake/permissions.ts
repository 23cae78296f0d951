import { existsSync, readFileSync } from 'node:fs';
import type { Permissions } from '../../../src/contract/device.ts';

const ALL_GRANTED: Permissions = { screenRecording: 'granted', accessibility: 'granted', automation: 'not_required' };

/** The permissions that the person has granted so far. A test writes it, as a person would in the settings of the system. */
export function permissionsIn(path: string | undefined): Permissions {
  if (path === undefined || !existsSync(path)) return ALL_GRANTED;
  return { ...ALL_GRANTED, ...JSON.parse(readFileSync(path, 'utf8')) };
}
