import { useId } from 'react';
import type { ScriptView } from '../../../src/contract/scripts.ts';
import { VisibleText } from '../VisibleText.tsx';

type Props = { script: Pick<ScriptView, 'noticed' | 'noticedCut'> };

/** The dangers that Handrail noticed in a script, with their lines. The list never says that there are no others. */
export function NoticedDangers({ script: { noticed, noticedCut } }: Props) {
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
        {noticedCut && <li>Handrail did not read or list everything in this script.</li>}
      </ul>
      <p className="noticed-limit">The script may do more. Read it before you allow it.</p>
    </div>
  );
}

function placeOf(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
}
