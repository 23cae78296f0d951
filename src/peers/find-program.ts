import { createLinuxPrograms } from './linux-programs.ts';
import { createMacosPrograms } from './macos-programs.ts';
import { createIsOwnScript } from './own-program.ts';
import { type FindProgram, unknownProgram } from './program.ts';

/** Tells which program calls, as far as this system tells it. `installation`: the folder of Handrail's own code. */
export function createFindProgram(platform: NodeJS.Platform, installation: string): FindProgram {
  if (platform === 'linux') return createLinuxPrograms({ isOwnScript: createIsOwnScript(installation) });
  if (platform === 'darwin') return createMacosPrograms();
  return async () => unknownProgram(`${platform} is not supported`);
}
