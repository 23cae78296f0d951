import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type FileIdentity, OWN_DATA, OWN_PROGRAM, type ResolvedPath } from '../../contract/files.ts';
import type { Control } from '../../contract/screen.ts';
import { comparablePath } from '../../contract/secret-paths.ts';
import type { LostTarget, Target } from '../../contract/targets.ts';
import { isWithin } from '../../domain/catalogue/file-target.ts';
import { programFolder } from '../../launch/assets.ts';

/** A file or folder of Handrail's own, without links on its path, and its name in sentences. */
export type OwnPlace = { path: string; name: string };

/**
 * The places that no action may touch, and that must stay where they are: Handrail's program with the packages it loads, the program
 * that runs it, and its data.
 */
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

/** The agent does not know where the daemon keeps its data and where its program is, so the daemon marks these places itself. */
export function createMarkOwn({ path: dataFolder }: { path: string }) {
  const places = ownPlaces(dataFolder);
  return (target: Target | LostTarget): Target | LostTarget => {
    if (target.kind === 'path') return { ...target, file: marked(target.file, places) };
    return 'control' in target ? { ...target, control: markedIn(target.control, places) } : target;
  };
}

/** The same for the file that a dialog takes. */
function markedIn(control: Control, places: readonly OwnPlace[]): Control {
  const { dialog } = control;
  if (dialog?.file === undefined) return control;
  return { ...control, dialog: { ...dialog, file: marked(dialog.file, places) } };
}

function marked({ above = [], ...found }: ResolvedPath, places: readonly OwnPlace[]): ResolvedPath {
  const { inside, digest, ...file } = found;
  const { identity, folder } = file;
  const opened = new Set([...(identity === undefined ? [] : [identity]), folder, ...above].map(spelled));
  const around =
    places.find(({ path }) => isWithinOwn(file.realPath, path)) ??
    places.find((place) => identitiesOf(place).some((own) => opened.has(own)));
  if (around !== undefined) return { ...file, secret: around.name };
  const held = places.find(({ path }) => isWithinOwn(path, file.realPath));
  return held === undefined ? found : { ...found, holds: held.name };
}

/**
 * The place itself and, for the data, each file and folder directly in it: a hard link, or a folder that is mounted a second time, has
 * another path and the same device and inode. They change while the daemon runs, so they are read each time.
 */
function identitiesOf({ path, name }: OwnPlace): string[] {
  const within = name === OWN_DATA && existsSync(path) ? readdirSync(path).map((entry) => join(path, entry)) : [];
  return [path, ...within].flatMap((each) => {
    const facts = lstatSync(each, { bigint: true, throwIfNoEntry: false });
    return facts === undefined ? [] : spelled({ device: String(facts.dev), inode: String(facts.ino) });
  });
}

function spelled({ device, inode }: FileIdentity): string {
  return `${device}:${inode}`;
}
