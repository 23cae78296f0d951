import { ACCESSIBILITY_COMMAND } from '../contract/accessibility-words.ts';
import type { Permissions } from '../contract/device.ts';
import type { MachineView } from '../contract/machine-view.ts';
import type { Finding } from './finding.ts';

type Machine = { machines(): Promise<readonly MachineView[] | undefined> };

const MACHINES = 'machines';

/** Whether each of the person's other machines can be worked on. Only a running daemon reaches them. */
export async function checkMachines({ machines }: Machine): Promise<Finding[]> {
  const told = await machines();
  if (told === undefined)
    return [
      {
        check: MACHINES,
        state: 'note',
        message: 'Other machines are reached only while Handrail runs.',
        remedy: 'handrail start',
      },
    ];
  if (told.length === 0) return [{ check: MACHINES, state: 'good', message: 'none besides this computer' }];
  return told.flatMap(findingsOf);
}

function findingsOf(machine: MachineView): Finding[] {
  const { name, address, status, reason, platform, hostname, version, roundTripMs } = machine;
  if (status === 'online') {
    const lacking = lackingAt(machine);
    const way = roundTripMs === undefined ? '' : `, ${roundTripMs.toFixed(1)} ms there and back`;
    const message = `${name}: ${platform} on ${hostname}, version ${version}${way}`;
    return lacking.length > 0 ? lacking : [{ check: MACHINES, state: 'good', message }];
  }
  if (status === 'starting')
    return [
      {
        check: MACHINES,
        state: 'note',
        message: `${name} is being reached at ${address}.`,
        remedy: `handrail machine test ${name}`,
      },
    ];
  // The host key, the version of the link and the display are named in the reason, with the remedy behind the semicolon.
  const [what = '', ...remedies] = (reason ?? 'it is not reached').split('; ');
  const remedy = remedies.length > 0 ? remedies.join('; ') : `handrail machine test ${name}`;
  return [{ check: MACHINES, state: 'problem', message: `${name} at ${address}: ${what}.`, remedy }];
}

export type PermissionsTold = Pick<Permissions, 'screenRecording' | 'accessibility'>;
type PermissionsMachine = { platform: NodeJS.Platform; permissions(): Promise<PermissionsTold | undefined> };

const PERMISSIONS = 'permissions';
/** The names of the panes of System Settings. */
const PLACES: Readonly<Record<keyof PermissionsTold, string>> = {
  screenRecording: 'Screen & System Audio Recording',
  accessibility: 'Accessibility',
};

/** Only the agent of a running daemon can tell them: they belong to the program that asks. */
export async function checkPermissions({ platform, permissions }: PermissionsMachine): Promise<Finding[]> {
  if (platform !== 'darwin') return [{ check: PERMISSIONS, state: 'good', message: 'none are needed on this system' }];
  const told = await permissions();
  if (told === undefined)
    return [
      {
        check: PERMISSIONS,
        state: 'note',
        message: 'They are known only while Handrail runs.',
        remedy: 'handrail start',
      },
    ];
  const denied = (['screenRecording', 'accessibility'] as const).filter((name) => told[name] === 'denied');
  if (denied.length === 0)
    return [{ check: PERMISSIONS, state: 'good', message: 'screen recording and accessibility' }];
  return denied.map((name) => ({
    check: PERMISSIONS,
    state: 'problem',
    message: `macOS does not allow Handrail ${PLACES[name]}.`,
    remedy: `System Settings → Privacy & Security → ${PLACES[name]}: switch it on for the program that starts Handrail.`,
  }));
}

function lackingAt({ name, displays, permissions }: MachineView): Finding[] {
  const found: Finding[] = [];
  if (displays === 0)
    found.push({
      check: MACHINES,
      state: 'problem',
      message: `${name} has no display.`,
      remedy: 'Start a desktop session there, or add the machine anew with --display.',
    });
  for (const permission of ['screenRecording', 'accessibility'] as const) {
    if (permissions?.[permission] === 'denied')
      found.push({
        check: MACHINES,
        state: 'problem',
        message: `macOS on ${name} does not allow Handrail ${PLACES[permission]}.`,
        remedy: `There: System Settings → Privacy & Security → ${PLACES[permission]}: switch it on for the program that ssh starts.`,
      });
  }
  if (permissions?.accessibility === 'switched_off')
    found.push({
      check: MACHINES,
      state: 'note',
      message: `Accessibility is off on ${name}, so some apps do not describe their windows.`,
      remedy: `There: ${ACCESSIBILITY_COMMAND}`,
    });
  return found;
}
