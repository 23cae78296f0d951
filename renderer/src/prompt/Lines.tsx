import type { ScriptView } from '../../../src/contract/scripts.ts';
import { ExactText } from '../VisibleText.tsx';

/** So that the next line shows that there is more. */
const MARGIN_PX = 16;

type Props = { label: string; text: string; noticed: ScriptView['noticed'] };

/** A text, whole and with the numbers of its lines. Lines with dangers are marked. */
export function Lines({ label, text, noticed }: Props) {
  const marked = new Set(noticed.flatMap(({ lines }) => lines));
  const worst = noticed[0]?.lines ?? [];
  const first = Math.min(...worst);
  return (
    <ol className="script" dir="ltr" aria-label={label}>
      {linesOf(text).map(({ place, line }, index) => (
        <li
          key={place}
          ref={index + 1 === first ? showInBox : undefined}
          className={marked.has(index + 1) ? 'noticed-line' : undefined}
        >
          <code>
            <ExactText>{line}</ExactText>
          </code>
        </li>
      ))}
    </ol>
  );
}

/** The first line of the worst danger is in view from the start. Where that hides the beginning, Allow waits until that was on screen too. */
function showInBox(line: HTMLLIElement | null): void {
  const box = line?.closest('.prompt-text:not(.steps)');
  if (line === null || box === null || box === undefined) return;
  const hidden = line.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
  if (hidden > 0) box.scrollTop += hidden + MARGIN_PX;
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
