import type { CallingProgram } from '../contract/program.ts';
import type { Connection, Peer } from './peer.ts';

/**
 * Finds the program at the caller's end. Does not throw: a failure is `unknown`. Takes milliseconds, so it is not done for each call.
 * `isPassedOn`: the caller says that it passes calls on; where it really is Handrail's own program, the one that started it is meant.
 */
export type FindProgram = (caller: {
  peer: Peer;
  connection: Connection;
  isPassedOn?: boolean;
}) => Promise<CallingProgram>;

/** No chain of parents that a person reads is longer. */
export const MOST_PARENTS = 12;

/** The longest path that is kept. */
export const MOST_PATH_CHARACTERS = 1_000;

export function unknownProgram(because: string): CallingProgram {
  return { kind: 'unknown', because };
}

/**
 * The program of a request, by who held the connection when it was accepted and who holds it when the request is read. A program
 * can connect, and hand the connection to another program, or become one, before its request is read: then it is said which one
 * connected. A program that was not found the first time cannot be compared, and stays unknown.
 */
export function comparedProgram(before: CallingProgram, now: CallingProgram): CallingProgram {
  if (now.kind === 'unknown') return now;
  if (before.kind === 'unknown') return unknownProgram(`when the connection was made: ${before.because}`); // guard P2-2
  const isSame =
    before.pid === now.pid &&
    before.uid === now.uid &&
    before.name === now.name &&
    before.path === now.path &&
    before.script === now.script;
  if (isSame) return now; // guard P2-1
  const { pid, name, path, script } = before;
  const changedFrom = { pid, name, path, script };
  return { ...now, changedFrom };
}
