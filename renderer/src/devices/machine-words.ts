import type { MachineView } from '../../../src/contract/machine-view.ts';
import { platformWords } from './device-words.ts';

export const STATUS_WORDS: Record<MachineView['status'], string> = {
  online: 'Online',
  starting: 'Starting',
  unreachable: 'Not reached',
  offline: 'Offline',
};

/** Words of the daemon for a page, which has no code in its sentences. */
export function pageWords(words: string): string {
  return words.replaceAll(/`([^`]+)`/g, '“$1”');
}

type Named = Pick<MachineView, 'name'>;
type Stopping = Named & Pick<MachineView, 'status' | 'running'>;

/** Which machines have confirmed that nothing of ours runs there, and which have not, in sentences. */
export function stopWords(machines: readonly Stopping[]): string[] {
  const confirmed = machines.filter(({ status, running }) => status === 'online' && running === 0);
  const busy = machines.filter(({ status, running }) => status === 'online' && running > 0);
  const away = machines.filter(({ status }) => status !== 'online');
  return [
    ...(confirmed.length === 0 ? [] : [`Stopped and confirmed: ${namesOf(confirmed)}.`]),
    ...(busy.length === 0 ? [] : [`Not confirmed yet: ${namesOf(busy)}.`]),
    ...(away.length === 0
      ? []
      : [`Cannot be asked: ${namesOf(away)}. What ran there ends by itself without this line.`]),
  ];
}

function namesOf(machines: readonly Named[]): string {
  return machines.map(({ name }) => name).join(', ');
}

/** What a machine has told of itself and of the way there. */
export function machineFacts({
  platform,
  hostname,
  version,
  roundTripMs,
  running,
}: Pick<MachineView, 'platform' | 'hostname' | 'version' | 'roundTripMs' | 'running'>): string[] {
  return [
    ...(platform === undefined ? [] : [`${platformWords(platform)}${hostname === undefined ? '' : ` on ${hostname}`}`]),
    ...(version === undefined ? [] : [`Handrail ${version}`]),
    ...(roundTripMs === undefined ? [] : [`${roundTripMs.toFixed(1)} ms there and back`]),
    ...(running === 0 ? [] : [`${running} ${running === 1 ? 'action runs' : 'actions run'} there`]),
  ];
}
