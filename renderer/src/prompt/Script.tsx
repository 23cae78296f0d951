import type { ScriptView } from '../../../src/contract/scripts.ts';
import { VisibleText } from '../VisibleText.tsx';

/** A script, whole and with the numbers of its lines, and a table of the places and hosts that it may read, write and reach. */
export function Script({ script: { language, text, reads, writes, network } }: { script: ScriptView }) {
  const rows = [
    ['Reads', reads],
    ['Writes', writes],
    ['Network', network],
  ] as const;
  return (
    <>
      <ol className="script" dir="ltr" aria-label={`The ${language} script`}>
        {linesOf(text).map(({ place, line }) => (
          <li key={place}>
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
