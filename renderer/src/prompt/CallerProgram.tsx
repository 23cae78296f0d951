import type { CallingProgram } from '../../../src/contract/program.ts';
import { Quoted } from '../Quoted.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { inLine, parentWords } from './program-words.ts';

/** Which program really asks, as the operating system tells it, with its whole path. The claim has a line of its own: its text could look like the rest of ours. */
export function CallerProgram({ program }: { program: CallingProgram }) {
  const { claims } = program;
  return (
    <>
      <FoundProgram program={program} />
      {claims !== undefined && (
        <p className="claim">
          Its own claim, not verified: <Quoted>{claims}</Quoted>
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
  const { name, path = name, script, startedBy, through } = program;
  return (
    <p className="program">
      <VisibleText>{inLine(path)}</VisibleText>
      {script !== undefined && (
        <>
          {' '}
          running <VisibleText>{inLine(script)}</VisibleText>
        </>
      )}
      {startedBy.length > 0 && (
        <>
          , started by <VisibleText>{parentWords(startedBy)}</VisibleText>
        </>
      )}
      {through !== undefined && ` · connected through Handrail’s own command, process ${through.pid}`}
    </p>
  );
}
