import type { CallingProgram } from '../contract/program.ts';
import { unknownProgram } from './program.ts';

/**
 * The program of a request, by who held the connection when it was accepted and who holds it when the request is read. A program
 * can connect, and hand the connection to another program, or become one, before its request is read: then it is said which one
 * connected. Whoever was not found the first time cannot be compared, and stays unknown.
 */
export function comparedProgram(before: CallingProgram, now: CallingProgram): CallingProgram {
  if (now.kind === 'unknown') return now;
  if (before.kind === 'unknown') return unknownProgram(`when the connection was made: ${before.because}`);
  const isSame =
    before.pid === now.pid &&
    before.uid === now.uid &&
    before.name === now.name &&
    before.path === now.path &&
    before.script === now.script;
  if (isSame) return now;
  const { pid, name, path, script } = before;
  const changedFrom = { pid, name, ...(path !== undefined && { path }), ...(script !== undefined && { script }) };
  return { ...now, changedFrom };
}
