import type { ScriptView } from '../../../src/contract/scripts.ts';
import { ExactText } from '../VisibleText.tsx';

type Props = { label: string; text: string; noticed: ScriptView['noticed'] };

/** A text, whole and with the numbers of its lines. Lines with dangers are marked. */
export function Lines({ label, text, noticed }: Props) {
  const marked = new Set(noticed.flatMap(({ lines }) => lines));
  return (
    <ol className="script" dir="ltr" aria-label={label}>
      {linesOf(text).map(({ place, line }, index) => (
        <li key={place} className={marked.has(index + 1) ? 'noticed-line' : undefined}>
          <code>
            <ExactText>{line}</ExactText>
          </code>
        </li>
      ))}
    </ol>
  );
}

/** The lines, each with its place in the text, which tells equal lines apart. */
function linesOf(text: string): { place: number; line: string }[] {
  let next = 0;
  return text.split('\n').map((line) => {
    const place = next;
    next += line.length + 1;
    return { place, line };
  });
}
