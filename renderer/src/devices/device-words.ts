import type { Capability, Device, PermissionState } from '../../../src/contract/device.ts';

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
export type CapabilityState = { name: Capability; words: string; state: 'allowed' | 'asks' | 'refused' };

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
