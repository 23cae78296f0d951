import type { CallingProgram } from '../../../src/contract/program.ts';
import { VisibleText } from '../VisibleText.tsx';
import { parentWords, shortPath } from './program-words.ts';
import { visibleText } from './visible-text.ts';

/** Which program really asks, as the operating system tells it. Everything else about a requester is its own claim. */
export function CallerProgram({ program }: { program: CallingProgram }) {
  const { claims } = program;
  const claimed = claims !== undefined && (
    <>
      {' '}
      · calls itself “<VisibleText>{claims}</VisibleText>”, which nothing proves
    </>
  );
  if (program.kind === 'unknown') {
    return (
      <p className="program">
        Program unknown: <VisibleText>{program.because}</VisibleText>
        {claimed}
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
      {through !== undefined && <> · connected through Handrail’s own command, process {through.pid}</>}
      {claimed}
    </p>
  );
}
