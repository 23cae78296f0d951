import type { FileDialog } from '../../src/contract/file-dialog.ts';
import { MAX_PATH_LENGTH } from '../../src/contract/files.ts';
import type { Control } from '../../src/contract/screen.ts';
import type { Sighting } from '../drivers/input.ts';
import { type Home, resolvePath } from '../files/resolve-paths.ts';
import { controlOf } from './control.ts';

/** The control that a driver found, with the place to which the path in its dialog leads. A path that cannot be followed is not told. */
export async function controlSeen(sighting: Sighting, home?: Home): Promise<Control> {
  const control = controlOf(sighting);
  if (control.dialog === undefined) return control;
  const { path, ...dialog } = control.dialog;
  if (path === undefined || path.length > MAX_PATH_LENGTH || !path.isWellFormed()) return { ...control, dialog };
  const file = await resolvePath(path, home);
  return 'ok' in file ? { ...control, dialog } : { ...control, dialog: { ...dialog, path, file } };
}

/** The daemon marks places of its own in a file, and a program may write into it meanwhile. Neither makes it another file. */
export function isSameFile(judged: FileDialog | undefined, now: FileDialog | undefined): boolean {
  return JSON.stringify(factsOf(judged)) === JSON.stringify(factsOf(now));
}

function factsOf({ kind, part, path, file }: Partial<FileDialog> = {}) {
  const { device, inode } = file?.identity ?? {};
  return [kind, part, path, file?.realPath, file?.kind, file?.names, device, inode];
}
