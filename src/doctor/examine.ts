import type { MachineView } from '../contract/machine-view.ts';
import type { Settings } from '../own-daemon/settings.ts';
import { checkAccessibility } from './accessibility.ts';
import { checkDataDirectory } from './data-directory.ts';
import { checkDisplay } from './display.ts';
import type { Finding } from './finding.ts';
import { checkMachines } from './machines.ts';
import { checkPermissions, type PermissionsTold } from './permissions.ts';
import { checkPort } from './port.ts';
import { checkPrograms } from './programs.ts';
import { checkSandbox } from './sandbox.ts';
import { checkUser } from './user.ts';

export type Machine = {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  settings: Settings;
  asRoot: boolean;
  /** From the running daemon; undefined where none runs or it has not told them yet. */
  permissions: () => Promise<PermissionsTold | undefined>;
  /** From the running daemon as well. */
  machines: () => Promise<readonly MachineView[] | undefined>;
};

/** Looks at everything that Handrail needs of this machine. Changes nothing. */
export async function examine(machine: Machine): Promise<Finding[]> {
  const found = await Promise.all([
    checkDisplay(machine),
    checkPermissions(machine),
    checkAccessibility(machine),
    checkPrograms(machine),
    checkPort(machine.settings),
    checkSandbox(machine),
    checkDataDirectory(machine.settings.dataDirectory),
    checkUser(machine),
    checkMachines(machine),
  ]);
  return found.flat();
}
