import { useId } from 'react';
import type { ScriptView } from '../../../src/contract/scripts.ts';
import { VisibleText } from '../VisibleText.tsx';

/** `place`: the thing in which they were noticed. */
type Props = { script: Pick<ScriptView, 'noticed' | 'noticedCut'>; place?: 'script' | 'file' | 'folder' };

/** The dangers that Handrail noticed in a script, with their lines. The list never says that there are no others. */
export function NoticedDangers({ script: { noticed, noticedCut }, place = 'script' }: Props) {
  const heading = useId();
  if (noticed.length === 0 && !noticedCut) return null;
  return (
    <div className="noticed">
      <p id={heading}>Handrail noticed:</p>
      <ul aria-labelledby={heading}>
        {noticed.map(({ words, lines }) => (
          <li key={words}>
            <VisibleText>{words}</VisibleText> <span className="noticed-at">{placeOf(lines)}</span>
          </li>
        ))}
        {noticedCut && <li>Handrail did not read or list everything in this {place}.</li>}
      </ul>
      <p className="noticed-limit">{LIMITS[place]}</p>
    </div>
  );
}

const LIMITS = {
  script: 'The script may do more. Read it before you allow it.',
  file: 'The file may do more. Read it before you allow it.',
  folder: 'Only the names were judged. Read them before you allow it.',
} as const;

function placeOf(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
}
