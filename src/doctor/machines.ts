import { ACCESSIBILITY_COMMAND } from '../contract/accessibility-words.ts';
import type { MachineView } from '../contract/machine-view.ts';
import type { Finding } from './finding.ts';
import { PLACES } from './permissions.ts';

type Machine = { machines(): Promise<readonly MachineView[] | undefined> };

const check = 'machines';

/** Whether each of the person's other machines can be worked on. Only a running daemon reaches them. */
export async function checkMachines({ machines }: Machine): Promise<Finding[]> {
  const told = await machines();
  if (told === undefined)
    return [
      {
        check,
        state: 'note',
        message: 'Other machines are reached only while Handrail runs.',
        remedy: 'handrail start',
      },
    ];
  if (told.length === 0) return [{ check, state: 'good', message: 'none besides this computer' }];
  return told.flatMap(findingsOf);
}

function findingsOf(machine: MachineView): Finding[] {
  const { name, address, status, reason, platform, hostname, version, roundTripMs } = machine;
  if (status === 'online') {
    const lacking = lackingAt(machine);
    const way = roundTripMs === undefined ? '' : `, ${roundTripMs.toFixed(1)} ms there and back`;
    const message = `${name}: ${platform} on ${hostname}, version ${version}${way}`;
    return lacking.length > 0 ? lacking : [{ check, state: 'good', message }];
  }
  if (status === 'starting')
    return [
      {
        check,
        state: 'note',
        message: `${name} is being reached at ${address}.`,
        remedy: `handrail machine test ${name}`,
      },
    ];
  // The host key, the version of the link and the display are named in the reason, with the remedy behind the semicolon.
  const [what = '', ...remedies] = (reason ?? 'it is not reached').split('; ');
  const remedy = remedies.length > 0 ? remedies.join('; ') : `handrail machine test ${name}`;
  return [{ check, state: 'problem', message: `${name} at ${address}: ${what}.`, remedy }];
}

function lackingAt({ name, displays, permissions }: MachineView): Finding[] {
  const found: Finding[] = [];
  if (displays === 0)
    found.push({
      check,
      state: 'problem',
      message: `${name} has no display.`,
      remedy: 'Start a desktop session there, or add the machine anew with --display.',
    });
  for (const permission of ['screenRecording', 'accessibility'] as const) {
    if (permissions?.[permission] === 'denied')
      found.push({
        check,
        state: 'problem',
        message: `macOS on ${name} does not allow Handrail ${PLACES[permission]}.`,
        remedy: `There: System Settings → Privacy & Security → ${PLACES[permission]}: switch it on for the program that ssh starts.`,
      });
  }
  if (permissions?.accessibility === 'switched_off')
    found.push({
      check,
      state: 'note',
      message: `Accessibility is off on ${name}, so some apps do not describe their windows.`,
      remedy: `There: ${ACCESSIBILITY_COMMAND}`,
    });
  return found;
}
