import { type ComponentType, type ReactNode, useId, useState } from 'react';
import { ScrollBox } from '../controls.tsx';
import { type LaterScript, laterScript } from '../Later.tsx';

type Column = { name: string; isNumber?: boolean };
/** `hrefs`: for each row, the address that its first cell opens. */
type Table = { columns: readonly Column[]; rows: readonly (readonly string[])[]; hrefs?: readonly string[] };

type Props = {
  /** One or two sentences that say what the chart shows, for a person who cannot see it. */
  summary: string;
  /** All values of the chart in words. */
  table: () => Table;
  legend: ReactNode;
  /** The point under the pointer in words, or nothing. */
  readout: string;
  height: number;
  className: string;
  children: ReactNode;
};

/** A chart with its text alternatives: a summary that is always there, and a table on demand. */
export function ChartFrame({ summary, table, legend, readout, height, className, children }: Props) {
  const [showsTable, setShowsTable] = useState(false);
  const summaryId = useId();
  return (
    <figure className={`chart ${className}`} aria-describedby={summaryId}>
      <div className="chart-canvas" style={{ minHeight: height }} aria-hidden="true">
        {children}
      </div>
      <div className="chart-foot">
        {legend}
        <p className="chart-readout" aria-hidden="true">
          {readout}
        </p>
        <button type="button" className="quiet" aria-expanded={showsTable} onClick={() => setShowsTable(!showsTable)}>
          {showsTable ? 'Hide table' : 'Show as table'}
        </button>
      </div>
      <figcaption id={summaryId} className="chart-summary">
        {summary}
      </figcaption>
      {showsTable && <ChartTable {...table()} />}
    </figure>
  );
}

function ChartTable({ columns, rows, hrefs }: Table) {
  return (
    <ScrollBox className="chart-table" label="Values of the chart">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={cells[0]}>
              {cells.map((cell, index) => (
                <td key={columns[index]?.name} className={columns[index]?.isNumber ? 'number' : ''}>
                  {index === 0 && hrefs?.[row] !== undefined ? <a href={hrefs[row]}>{cell}</a> : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** A chart whose script is loaded when it is shown first. If that fails, the summary and the table of the chart still work. */
export function laterChart<Props>(load: () => Promise<ComponentType<Props>>): LaterScript<Props> {
  return laterScript({ load, missing: ChartMissing });
}

function ChartMissing() {
  return <p className="hint">The chart could not be loaded. Its values are in the table.</p>;
}
