import type { MachineView } from '../contract/machine-view.ts';
import type { Settings } from '../own-daemon/settings.ts';
import { checkAccessibility, checkDisplay } from './desktop.ts';
import type { Finding } from './finding.ts';
import { checkMachines, checkPermissions, type PermissionsTold } from './machines.ts';
import { checkDataDirectory, checkPort, checkUser } from './own-daemon.ts';
import { checkPrograms, checkSandbox } from './sandbox.ts';

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
