import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_DATA, OWN_PROGRAM } from '../contract/files.ts';
import { comparablePath } from '../contract/secret-paths.ts';
import { isWithin } from '../domain/catalogue/file-target.ts';
import { programFolder } from '../launch/assets.ts';

/** A file or folder of Handrail's own, without links on its path, and its name in sentences. */
export type OwnPlace = { path: string; name: string };

/** The places that no action may touch or move: Handrail's program with its packages, the program that runs it, and its data. */
export function ownPlaces(dataFolder: string): OwnPlace[] {
  const program = realpathSync(programFolder());
  const packages = join(program, 'node_modules');
  const outside = [process.execPath, ...(existsSync(packages) ? [packages] : [])]
    .map((path) => realpathSync(path))
    .filter((path) => !isWithin(path, program));
  return [
    ...[program, ...outside].map((path) => ({ path, name: OWN_PROGRAM })),
    { path: realpathSync(dataFolder), name: OWN_DATA },
  ];
}

/** Whether a path is the other one or lies below it. Names are compared as a Mac's file system does, which ignores case. */
export function isWithinOwn(path: string, folder: string): boolean {
  return isWithin(comparablePath(path), comparablePath(folder));
}
