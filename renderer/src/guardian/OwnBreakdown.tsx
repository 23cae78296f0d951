import type { MetricSnapshot } from '../../../src/contract/guardian.ts';
import { VisibleText } from '../VisibleText.tsx';

type Parts = NonNullable<MetricSnapshot['breakdown']>;

/** The parts that Guardian names for the metric itself, such as the kinds of refused attempts. */
export function OwnBreakdown({ parts }: { parts: Parts }) {
  const rows = Object.entries(parts).flatMap(([name, value]) =>
    typeof value === 'number'
      ? [[wordsOf(name), value] as const]
      : Object.entries(value).map(([inner, count]) => [`${wordsOf(name)}: ${wordsOf(inner)}`, count] as const),
  );
  if (rows.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="parts-title">
      <h2 id="parts-title">Its parts</h2>
      <table className="parts">
        <tbody>
          {rows.map(([name, count]) => (
            <tr key={name}>
              <th scope="row">
                <VisibleText>{name}</VisibleText>
              </th>
              <td className="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `wrong_console_key` and `wrongConsoleKey` are both `wrong console key`. Names of action types stay as they are. */
function wordsOf(name: string): string {
  return /^[A-Z]/.test(name)
    ? name
    : name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
