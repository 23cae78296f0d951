import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { LockName } from './LockName.tsx';
import { PersonTableRow } from './PersonTableRow.tsx';
import { personRows } from './person-rows.ts';

/** Every requester with its profile, its key, and the button that pauses it. */
export function People({ model }: { model: DashboardModel }) {
  const { status, profiles } = useObservable(model.feed);
  const now = useNow(30_000);
  if (status === undefined || profiles === undefined) {
    return (
      <section className="section" aria-labelledby="people-title">
        <h2 id="people-title">Requesters</h2>
        <p className="hint">Loading…</p>
      </section>
    );
  }
  return (
    <section className="section" aria-labelledby="people-title">
      <h2 id="people-title">Requesters</h2>
      <p className="hint">A user id is only a name. Any program here can use it until you lock it with a key.</p>
      <LockName requesters={status.requesters} model={model} />
      <table className="access-table" aria-labelledby="people-title">
        <thead>
          <tr>
            <th scope="col">Requester</th>
            <th scope="col">Profile</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {personRows(status.requesters, profiles).map((row) => (
            <PersonTableRow key={row.userId} row={row} profiles={profiles.items} now={now} model={model} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
