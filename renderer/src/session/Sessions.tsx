import { useEffect } from 'react';
import type { ConsoleSession } from '../../../src/contract/session.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow, useObservable } from '../hooks.ts';
import { timeAgo } from '../time-words.ts';

/** The pages that are signed in, and the buttons that end them. */
export function Sessions({ model }: { model: DashboardModel }) {
  const sessions = useObservable(model.sessions);
  const now = useNow(30_000);
  useEffect(() => model.sessions.watch(), [model]);
  if (sessions.length === 0) return null;
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <section className="section" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Signed-in pages</h2>
      <p className="hint">Each of these pages can allow requests as you. End any that you did not open.</p>
      <ul className="cards">
        {sessions.map((session) => (
          <li key={session.id} className="person">
            <p>{sentenceOf(session, now)}</p>
            {session.isCurrent ? null : (
              <button
                type="button"
                aria-label={`End the session opened ${timeAgo(Date.parse(session.openedAt), now)}`}
                onClick={() => void model.sessions.end(session.id)}
              >
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 ? (
        <button type="button" onClick={() => void model.sessions.endOthers()}>
          End all others
        </button>
      ) : null}
    </section>
  );
}

function sentenceOf({ openedAt, lastUsedAt, isCurrent, program }: ConsoleSession, now: number): string {
  const name = isCurrent ? 'This page' : 'Another page';
  const from = program === undefined ? '' : ` by ${program}`;
  return `${name}: opened ${timeAgo(Date.parse(openedAt), now)}${from}, last used ${timeAgo(Date.parse(lastUsedAt), now)}.`;
}
