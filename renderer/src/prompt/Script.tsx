import type { ScriptView } from '../../../src/contract/scripts.ts';
import { VisibleText } from '../VisibleText.tsx';
import { NoticedDangers } from './NoticedDangers.tsx';

/**
 * The dangers that were noticed in a script, the script itself, whole and with the numbers of its lines, and a table of the places
 * and hosts that it may read, write and reach.
 */
export function Script({ script }: { script: ScriptView }) {
  const { language, text, reads, writes, network, noticed } = script;
  const rows = [
    ['Reads', reads],
    ['Writes', writes],
    ['Network', network],
  ] as const;
  const marked = new Set(noticed.flatMap(({ lines }) => lines));
  return (
    <>
      <NoticedDangers script={script} />
      <ol className="script" dir="ltr" aria-label={`The ${language} script`}>
        {linesOf(text).map(({ place, line }, index) => (
          <li key={place} className={marked.has(index + 1) ? 'noticed-line' : undefined}>
            <code>
              <VisibleText>{line}</VisibleText>
            </code>
          </li>
        ))}
      </ol>
      <table className="reach">
        <tbody>
          {rows.map(([name, places]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <VisibleText>{places.join(', ') || 'nothing'}</VisibleText>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
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
