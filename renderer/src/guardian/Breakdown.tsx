import type { BreakdownPart, MetricBreakdown } from '../../../src/contract/console-series.ts';
import type { MetricSnapshot } from '../../../src/contract/guardian.ts';
import { typeWords } from '../activity/activity-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { WINDOWS, type WindowName } from './windows.ts';

const HEADINGS = { requester: 'By requester', type: 'By action type', device: 'By device' } as const;

/** The actions that make up a metric, by requester, type and device, as tables with a bar for each part. */
export function Breakdown({ breakdown, window }: { breakdown: MetricBreakdown; window: WindowName }) {
  const { counted, isShare, groups } = breakdown;
  const isByRequesterOnly = groups.length === 1;
  return (
    <section className="panel" aria-labelledby="breakdown-title">
      <h2 id="breakdown-title">Breakdown</h2>
      <p className="hint">
        {counted}, in the last {WINDOWS[window].words}.
        {isByRequesterOnly &&
          ' A task may use several action types and devices, so tasks are told apart by requester only.'}
      </p>
      {groups[0]?.items.length === 0 ? (
        <p>There were none.</p>
      ) : (
        <div className="breakdowns">
          {groups.map(({ by, items, others }) => (
            <PartTable
              key={by}
              heading={HEADINGS[by]}
              items={by === 'type' ? items.map(withTypeWords) : items}
              others={others}
              isShare={isShare}
            />
          ))}
        </div>
      )}
    </section>
  );
}

/** A part without an action type has words already. */
function withTypeWords(part: BreakdownPart): BreakdownPart {
  return part.key === '' ? part : { ...part, name: typeWords(part.name) };
}

type TableProps = { heading: string; items: readonly BreakdownPart[]; others: number; isShare: boolean };

function PartTable({ heading, items, others, isShare }: TableProps) {
  const most = Math.max(1, ...items.map(({ count }) => count));
  return (
    <table className="parts">
      <caption>{heading}</caption>
      <tbody>
        {items.map((part) => (
          <tr key={part.key}>
            <th scope="row">
              <VisibleText>{part.name}</VisibleText>
            </th>
            <td className="part-bar">
              <span
                style={{
                  inlineSize: `${(100 * Math.min(1, isShare ? part.count / Math.max(1, part.total) : part.count / most)).toFixed(1)}%`,
                }}
              />
            </td>
            <td className="number">{isShare ? `${part.count} of ${part.total}` : part.count}</td>
          </tr>
        ))}
        {others > 0 && (
          <tr>
            <td colSpan={3} className="hint">
              and {others} more
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

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
