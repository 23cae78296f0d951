import type { Finding } from './finding.ts';

/** Also said at each start of the daemon. */
export const RUNS_AS_ROOT =
  'Handrail runs as root: each file that a script or an action makes belongs to root, and each action has all rights of the machine.';

/** The system user whose rights each action has. */
export function checkUser({ asRoot }: { asRoot: boolean }): Finding[] {
  if (!asRoot) return [{ check: 'user', state: 'good', message: 'not root' }];
  const remedy = 'Start it as the user who sits at the desktop.';
  return [{ check: 'user', state: 'note', message: RUNS_AS_ROOT, remedy }];
}
