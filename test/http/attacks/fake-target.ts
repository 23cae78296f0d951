import { openRig, type Rig, type RigOptions } from '../rig.ts';
import type { Target } from './target.ts';

/** The HTTP room over services in memory, as a target. */
export async function openFakeTarget(options: RigOptions = {}): Promise<{ rig: Rig; target: Target }> {
  const rig = await openRig({ rateLimits: 'on', ...options });
  let seen = 0;
  const target = {
    host: rig.host,
    port: rig.port,
    wasExecuted() {
      const before = seen;
      seen = rig.services.executions();
      return seen > before;
    },
    wasCounted: (code: Rig['services']['refusals'][number]) => rig.services.refusals.includes(code),
  };
  return { rig, target };
}
