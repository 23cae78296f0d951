import type { CallingProgram } from '../../../src/contract/program.ts';
import { VisibleText } from '../VisibleText.tsx';
import { parentWords, shortPath } from './program-words.ts';
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
  const { name, path, script, startedBy, through } = program;
  return (
    <p className="program" title={visibleText(path ?? '')}>
      Program:{' '}
      <strong>
        <VisibleText>{name}</VisibleText>
      </strong>
      {script !== undefined && (
        <>
          {' '}
          running <VisibleText>{shortPath(script)}</VisibleText>
        </>
      )}
      {path !== undefined && path !== name && (
        <>
          {' '}
          (<VisibleText>{shortPath(path)}</VisibleText>)
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
