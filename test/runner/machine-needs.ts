/** What some tests need of the machine and of the user who runs them, and what `npm test` says where it is missing. */
export const MACHINE_NEEDS = {
  root: 'needs root',
  Linux: 'needs Linux',
} as const;
export type MachineNeed = keyof typeof MACHINE_NEEDS;

type Machine = { platform: NodeJS.Platform; asRoot: boolean };

export function thisMachine(): Machine {
  return { platform: process.platform, asRoot: process.getuid?.() === 0 };
}

/** The reasons for which a test may skip itself on a machine. Any other skipped test has failed. */
export function excusesOn({ platform, asRoot }: Machine): string[] {
  return [...(asRoot ? [] : [MACHINE_NEEDS.root]), ...(platform === 'linux' ? [] : [MACHINE_NEEDS.Linux])];
}

export function machineHas(need: MachineNeed): boolean {
  return !excusesOn(thisMachine()).includes(MACHINE_NEEDS[need]);
}
