import type { CallingProgram } from '../../../src/contract/program.ts';
import { VisibleText } from '../VisibleText.tsx';
import { ProgramName } from './ProgramName.tsx';
import { parentWords } from './program-words.ts';
import { visibleText } from './visible-text.ts';

/** Which program really asks, as the operating system tells it. The claim has a line of its own: its text could look like the rest of ours. */
export function CallerProgram({ program }: { program: CallingProgram }) {
  const { claims } = program;
  return (
    <>
      <FoundProgram program={program} />
      {claims !== undefined && (
        <p className="claim">
          Its own claim, not verified: “<VisibleText>{claims}</VisibleText>”
        </p>
      )}
    </>
  );
}

function FoundProgram({ program }: { program: CallingProgram }) {
  if (program.kind === 'unknown') {
    return (
      <p className="program">
        Program unknown: <VisibleText>{program.because}</VisibleText>
      </p>
    );
  }
  const { path, startedBy, through } = program;
  return (
    <p className="program" title={visibleText(path ?? '')}>
      Program: <ProgramName program={program} />
      {startedBy.length > 0 && (
        <>
          , started by <VisibleText>{parentWords(startedBy)}</VisibleText>
        </>
      )}
      {through !== undefined && ` · connected through Handrail’s own command, process ${through.pid}`}
    </p>
  );
}
