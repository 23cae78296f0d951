import type { RequesterToday } from '../../../src/contract/telemetry.ts';
import { counted } from '../charts/outcome-words.ts';
import { Sparkline } from '../charts/Sparkline.tsx';
import { addressOf } from '../pages.ts';
import { VisibleText } from '../VisibleText.tsx';

type Props = {
  requesters: readonly RequesterToday[];
  /** The sentences of the risk, just above. What one of them says of a requester is not said again. */
  told: readonly string[];
};

/** A row for each requester: its day so far, hour by hour, and its days before. The name leads to what it did today. */
export function RequestersToday({ requesters, told }: Props) {
  if (requesters.length === 0) return null;
  return (
    <section className="panel requesters-today" aria-labelledby="requesters-today-title">
      <h2 id="requesters-today-title">Requesters today</h2>
      <table className="access-table" aria-labelledby="requesters-today-title">
        <thead>
          <tr>
            <th scope="col">Requester</th>
            <th scope="col">By the hour</th>
            <th scope="col">Today</th>
            <th scope="col">Before today</th>
          </tr>
        </thead>
        <tbody>
          {requesters.map((line) => (
            <RequesterRow key={line.requester} line={line} isTold={told.includes(`${line.words}.`)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RequesterRow({ line, isTold }: { line: RequesterToday; isTold: boolean }) {
  const { requester, did, hours, before, isUnusual } = line;
  const filters = new URLSearchParams({ requester });
  return (
    <tr data-status={isUnusual ? 'bad' : 'ok'}>
      <th scope="row">
        <a href={addressOf({ page: 'activity', filters })}>
          <VisibleText>{requester}</VisibleText>
        </a>
      </th>
      <td>
        <Sparkline points={hours.map((value) => ({ value }))} label={hoursWords(hours)} />
      </td>
      <td data-name="Today">
        {isTold ? 'unusual, as the risk says' : <VisibleText>{did}</VisibleText>}
        {isUnusual && !isTold && <span className="hint"> · unusual</span>}
      </td>
      <td data-name="Before today">{before}</td>
    </tr>
  );
}

/** For a person who cannot see the line. */
function hoursWords(hours: readonly number[]): string {
  const most = Math.max(...hours);
  return `${counted(hours.filter((requests) => requests > 0).length, 'hour')} with requests, at most ${most} in one`;
}
