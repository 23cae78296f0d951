import { realpathSync } from 'node:fs';
import type { ResolvedPath } from '../../src/contract/files.ts';
import type { RunScriptParameters } from '../../src/contract/scripts.ts';
import type { Attempt, Failed } from '../drivers/outcome.ts';
import { failed, isFailed, targetChanged } from '../files/failures.ts';
import { judgedPath } from '../files/judged-file.ts';
import type { Home } from '../files/resolve-paths.ts';
import type { WritablePath } from './sandbox.ts';

export type Writable = { folder?: string; writable: WritablePath[] };

/** The places that the script may write, as they were judged. A place that holds too much to be opened to a script is refused. */
export function writablePaths(
  { folder, writes = [] }: RunScriptParameters,
  attempt: Attempt,
  home: Home,
): Writable | Failed {
  const writable: WritablePath[] = [];
  for (const path of [...(folder === undefined ? [] : [folder]), ...writes]) {
    const judged = judgedPath(attempt, path);
    if (isFailed(judged)) return judged;
    const one = writablePath(judged, home);
    if (isFailed(one)) return one;
    if (path === folder && one.kind !== 'folder') return failed('invalid_target', `${one.path} is no folder.`);
    writable.push(one);
  }
  return folder === undefined ? { writable } : { folder: writable[0]?.path ?? folder, writable };
}

function writablePath({ realPath, kind, identity }: ResolvedPath, home: Home): WritablePath | Failed {
  if (kind === 'missing') {
    const fix = 'Create it first, or name the folder that is to hold it.';
    return failed('invalid_target', `${realPath} does not exist.`, { fix });
  }
  if (kind === 'special' || identity === undefined) return targetChanged(realPath);
  if (!isTooWide(realPath, home)) return { path: realPath, kind, identity };
  const fix = 'Name a folder of its own, such as one in Documents.';
  return failed('invalid_target', `${realPath} holds too much to let a script write there.`, { fix });
}

const SYSTEM =
  /^\/(?:usr|bin|sbin|lib\w*|etc|boot|run|proc|sys|dev|System|Library|Applications|private\/(?:etc|var\/db))(?:\/|$)/u;

/** The home folder itself, the folders above it, the top of the disk, each folder directly in it, and every folder of the system. */
function isTooWide(realPath: string, home: Home): boolean {
  const isTop = realPath.lastIndexOf('/') === 0;
  return isTop || SYSTEM.test(realPath) || `${realHome(home)}/`.startsWith(`${realPath}/`);
}

function realHome({ path }: Home): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
