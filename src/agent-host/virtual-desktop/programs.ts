import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Something the system has to bring along, and the Debian package that does. Present when any of its files is found. */
export type SystemNeed = {
  name: string;
  package: string;
  /** Names to be found on PATH, or absolute paths. */
  anyOf: readonly string[];
};

/** The needs that the system does not meet, in the given order. */
export function missingNeeds(needs: readonly SystemNeed[], path: string): SystemNeed[] {
  return needs.filter((need) => !need.anyOf.some((candidate) => isPresent(candidate, path)));
}

/** The one command that installs what is missing on Debian and its relatives. */
export function installCommand(missing: readonly SystemNeed[], { asRoot }: { asRoot: boolean }): string {
  const packages = [...new Set(missing.map((need) => need.package))].sort();
  return `${asRoot ? '' : 'sudo '}apt-get install --yes --no-install-recommends ${packages.join(' ')}`;
}

function isPresent(candidate: string, path: string): boolean {
  if (candidate.startsWith('/')) return existsSync(candidate);
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => isExecutable(join(folder, candidate)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
