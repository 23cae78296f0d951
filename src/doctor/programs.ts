import { scriptNeeds } from '../agent-host/script-needs.ts';
import type { Finding } from './finding.ts';

type Machine = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv; asRoot: boolean; sandboxPath?: string };

const check = 'programs';

/** The programs of the system that scripts run with. */
export function checkPrograms({ platform, environment, asRoot, sandboxPath }: Machine): Finding[] {
  const place = sandboxPath === undefined ? {} : { sandboxPath };
  const { lines } = scriptNeeds({ platform, path: environment.PATH ?? '', asRoot, ...place });
  if (lines.length === 0) return [{ check, state: 'good', message: 'all that scripts need' }];
  return lines.map((line) => {
    const [message = line, remedy] = line.split(/ (?=Install (?:it|them): )/);
    return { check, state: 'problem', message, remedy };
  });
}
