import { accessSync, constants, existsSync, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from './finding.ts';

const check = 'data directory';
const LEAST_FREE_BYTES = 200_000_000;
const ELSEWHERE = 'set HANDRAIL_DATA_DIR to a folder that is yours';

/** Whether the data directory is private and can be written to, or can be made. Makes nothing. */
export function checkDataDirectory(path: string): Finding[] {
  const fault = isThere(path) ? faultOf(path) : faultOfMaking(path);
  if (fault !== undefined) return [{ check, state: 'problem', ...fault }];
  const place = existsSync(path) ? path : parentThatExists(path);
  const { bavail, bsize } = statfsSync(place);
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES)
    return [
      {
        check,
        state: 'problem',
        message: `The disk of ${path} has ${Math.floor(freeBytes / 1_000_000)} MB left.`,
        remedy: 'Make room: Handrail keeps pictures and its journal there.',
      },
    ];
  return [{ check, state: 'good', message: path }];
}

type Fault = Pick<Finding, 'message' | 'remedy'>;

function faultOf(path: string): Fault | undefined {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink())
    return { message: `${path} is a symbolic link.`, remedy: `Move it away, or ${ELSEWHERE}.` };
  if (!facts.isDirectory()) return { message: `${path} is no folder.`, remedy: `Move it away, or ${ELSEWHERE}.` };
  if (facts.uid !== process.getuid?.())
    return {
      message: `${path} belongs to another OS user (uid ${facts.uid}).`,
      remedy: `Start as that user, or ${ELSEWHERE}.`,
    };
  if (!isWritable(path)) return { message: `${path} cannot be written to.`, remedy: `chmod u+rwx '${path}'` };
  return undefined;
}

function faultOfMaking(path: string): Fault | undefined {
  const parent = parentThatExists(path);
  if (lstatSync(parent).isDirectory() && isWritable(parent)) return undefined;
  return { message: `${path} cannot be made in ${parent}.`, remedy: `Make it yourself, or ${ELSEWHERE}.` };
}

function parentThatExists(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) ? parent : parentThatExists(parent);
}

/** Also a link that leads nowhere is there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file stands where a folder should be, or the folder may not be looked into.
    return false;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
