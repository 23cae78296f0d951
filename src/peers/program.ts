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
