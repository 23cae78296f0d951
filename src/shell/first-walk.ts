import type { PermissionStep } from '../contract/shell.ts';
import { needsPerson } from './permission-walk.ts';

/** Says when to lead the person to the permissions: once in a run, when the agent has found that one is missing. */
export function createFirstWalk(): (steps: readonly PermissionStep[]) => boolean {
  let wasShown = false;
  return (steps) => {
    if (wasShown || !needsPerson(steps)) return false;
    wasShown = true;
    return true;
  };
}
