import type { CallingProgram } from '../../../src/contract/program.ts';
import { ProgramName } from './ProgramName.tsx';

/** One program connected, and another one held the connection when the request was read: neither is sure to be the one that asks. */
export function ChangedProgram({ program }: { program: CallingProgram }) {
  if (program.kind === 'unknown' || program.changedFrom === undefined) return null;
  return (
    <p className="program program-changed">
      <strong>The program changed.</strong> The connection was made by <ProgramName program={program.changedFrom} />. A
      program that does this may want to look like another one.
    </p>
  );
}
