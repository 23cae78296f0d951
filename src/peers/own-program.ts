import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Whether the script that a process runs is a part of Handrail itself. */
export type IsOwnScript = (script: string) => boolean;

/** The command that a client starts lies in the installation of the daemon, and a link to it may be anywhere. */
export function createIsOwnScript(installation: string): IsOwnScript {
  const places = ['src', 'dist'].map((name) => `${join(installation, name)}${sep}`);
  return (script) => {
    const real = realPathOf(script);
    return real !== undefined && places.some((place) => real.startsWith(place));
  };
}

/** `undefined` where the file is gone, or in a place that this process does not see. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
