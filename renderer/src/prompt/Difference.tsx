import { ExactText } from '../VisibleText.tsx';
import type { DifferenceRow } from './difference.ts';

type Props = { label: string; rows: readonly DifferenceRow[]; marked: ReadonlySet<number> };

const SIGNS = { added: '+', removed: '−', same: ' ' } as const;
const SPOKEN = { added: 'New: ', removed: 'Gone: ', same: '' } as const;

/** The lines of a text that change: each with a sign, so that colour is not the only one. Lines with dangers are marked. */
export function Difference({ label, rows, marked }: Props) {
  if (rows.every(({ kind }) => kind === 'same' || kind === 'skipped'))
    return <p className="hint">The text stays the same.</p>;
  return (
    <ol className="difference" dir="ltr" aria-label={label}>
      {placed(rows).map(({ place, row }) =>
        row.kind === 'skipped' ? (
          <li key={place} className="skipped">
            {row.count} unchanged {row.count === 1 ? 'line' : 'lines'}
          </li>
        ) : (
          <li
            key={place}
            className={row.kind}
            data-noticed={row.number !== undefined && marked.has(row.number) ? '' : undefined}
          >
            <span className="sign" aria-hidden="true">
              {SIGNS[row.kind]}
            </span>
            <span className="visually-hidden">{SPOKEN[row.kind]}</span>
            <code>
              <ExactText>{row.text}</ExactText>
            </code>
          </li>
        ),
      )}
    </ol>
  );
}

/** The rows, each with its place, which tells equal ones apart. */
function placed(rows: readonly DifferenceRow[]): { place: string; row: DifferenceRow }[] {
  return rows.map((row, index) => ({ place: `row ${index}`, row }));
}
