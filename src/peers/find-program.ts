import { createLinuxPrograms } from './linux-programs.ts';
import { createMacosPrograms } from './macos-programs.ts';
import { type FindProgram, unknownProgram } from './program.ts';

/** Tells which program calls, as far as this system tells it. */
export function createFindProgram(platform: NodeJS.Platform): FindProgram {
  if (platform === 'linux') return createLinuxPrograms();
  if (platform === 'darwin') return createMacosPrograms();
  return async () => unknownProgram(`${platform} is not supported`);
}
