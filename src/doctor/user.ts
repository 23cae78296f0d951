import { RUNS_AS_ROOT } from '../agent-host/script-needs.ts';
import type { Finding } from './finding.ts';

/** The system user whose rights each action has. */
export function checkUser({ asRoot }: { asRoot: boolean }): Finding[] {
  if (!asRoot) return [{ check: 'user', state: 'good', message: 'not root' }];
  const remedy = 'Start it as the user who sits at the desktop.';
  return [{ check: 'user', state: 'note', message: RUNS_AS_ROOT, remedy }];
}
