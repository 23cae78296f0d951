import type { ScriptView } from '../../../src/contract/scripts.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Lines } from './Lines.tsx';
import { NoticedDangers } from './NoticedDangers.tsx';

/**
 * The noticed dangers of a script, the whole script with the numbers of its lines, and a table of the places and hosts that it may
 * read, write and reach.
 */
export function Script({ script }: { script: ScriptView }) {
  const { language, text, reads, writes, network, noticed } = script;
  const rows = [
    ['Reads', reads],
    ['Writes', writes],
    ['Network', network],
  ] as const;
  return (
    <>
      <NoticedDangers script={script} />
      <Lines label={`The ${language} script`} text={text} noticed={noticed} />
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
