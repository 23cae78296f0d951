import { VisibleText } from '../VisibleText.tsx';
import { inLine, shortPath } from './program-words.ts';

type Named = { name: string; path?: string; script?: string };

/** A program as a prompt names it: its name, the script that it runs and its path. */
export function ProgramName({ program: { name, path, script } }: { program: Named }) {
  return (
    <>
      <strong>
        <VisibleText>{inLine(name, { isName: true })}</VisibleText>
      </strong>
      {script !== undefined && (
        <>
          {' '}
          running <VisibleText>{inLine(script, { shown: shortPath(script) })}</VisibleText>
        </>
      )}
      {path !== undefined && path !== name && (
        <>
          {' '}
          (<VisibleText>{inLine(path, { shown: shortPath(path) })}</VisibleText>)
        </>
      )}
    </>
  );
}
