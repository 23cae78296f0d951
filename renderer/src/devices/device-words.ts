import type { Capability, Device, PermissionState } from '../../../src/contract/device.ts';
import type { MachineView } from '../../../src/contract/machine-view.ts';

const CAPABILITIES: readonly (readonly [Capability, string])[] = [
  ['canOpenApps', 'Open and quit apps'],
  ['canCaptureScreen', 'See the screen'],
  ['canControlInput', 'Use mouse and keyboard'],
  ['canAccessFiles', 'Read and write files'],
  ['canRunScripts', 'Run scripts'],
];

/** Registrations of one device: they have the same name, system, state, capabilities and warnings. */
export type SameDevice = readonly [Device, ...Device[]];

/** The devices, each with all its registrations, in the order of the first ones. */
export function mergedDevices(devices: readonly Device[]): SameDevice[] {
  const same = Map.groupBy(devices, ({ name, type, machine, status, capabilities, warnings }) =>
    JSON.stringify([name, type, machine, status, CAPABILITIES.map(([each]) => capabilities[each] ?? null), warnings]),
  );
  return [...same.values()].flatMap(([first, ...others]): SameDevice[] => (first ? [[first, ...others]] : []));
}

/** A capability with its state: `allowed` follows the profile, `asks` always asks the person, `refused` never runs. */
type CapabilityState = { name: Capability; words: string; state: 'allowed' | 'asks' | 'refused' };

export function capabilityStates({ capabilities }: Pick<Device, 'capabilities'>): CapabilityState[] {
  return CAPABILITIES.map(([name, words]) => {
    const flag = capabilities[name];
    if (flag === undefined) return { name, words, state: 'asks' };
    return { name, words, state: flag ? 'allowed' : 'refused' };
  });
}

export const CAPABILITY_WORDS: Record<CapabilityState['state'], string> = {
  allowed: 'as the profile says',
  asks: 'always asks you',
  refused: 'refused',
};

/** The state of the agent, written as on the badge of a device. */
export function agentWords(state: string | undefined): string {
  return state === undefined ? 'Not known yet' : state.charAt(0).toUpperCase() + state.slice(1);
}

/** The permissions of the agent that macOS gives; other systems need none. */
export const PERMISSION_NAMES = {
  screenRecording: 'Screen recording',
  accessibility: 'Accessibility',
} as const;

export const PERMISSION_WORDS: Record<PermissionState, string> = {
  granted: 'granted',
  denied: 'missing: allow it in System Settings → Privacy & Security',
  unknown: 'not known yet',
  not_required: 'not required on this system',
  switched_off: 'off: apps built on Chromium, Electron and Qt do not describe their windows',
};

const PLATFORMS: Record<string, string> = { macos: 'macOS', linux: 'Linux', fake: 'test desktop' };

export function platformWords(name: string): string {
  return PLATFORMS[name] ?? name;
}

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
