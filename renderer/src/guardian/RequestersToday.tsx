import type { RequesterToday } from '../../../src/contract/requesters.ts';
import { VisibleText } from '../VisibleText.tsx';

/** One line for each requester: its day so far, and its days before. */
export function RequestersToday({ requesters }: { requesters: readonly RequesterToday[] }) {
  if (requesters.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="requesters-today-title">
      <h2 id="requesters-today-title">Requesters today</h2>
      <ul className="oversight-links">
        {requesters.map(({ requester, words, before, isUnusual }) => (
          <li key={requester} data-status={isUnusual ? 'bad' : 'ok'}>
            <VisibleText>{words}</VisibleText>
            <span className="hint"> Before today: {before}.</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
