import type { CallingProgram } from '../../../src/contract/program.ts';
import { VisibleText } from '../VisibleText.tsx';
import { shortPath } from './program-words.ts';

/** One program connected, and another one held the connection when the request was read: neither is sure to be the one that asks. */
export function ChangedProgram({ program }: { program: CallingProgram }) {
  if (program.kind === 'unknown' || program.changedFrom === undefined) return null;
  const { name, path, script } = program.changedFrom;
  return (
    <p className="program program-changed">
      <strong>The program changed.</strong> The connection was made by{' '}
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
      . A program that does this may want to look like another one.
    </p>
  );
}
