import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { LockName } from './LockName.tsx';
import { PersonCard } from './PersonCard.tsx';
import { personRows } from './person-rows.ts';

/** Every requester with its profile, its key, and the button that pauses it. */
export function People({ model }: { model: DashboardModel }) {
  const { status, profiles } = useObservable(model.feed);
  const now = useNow(30_000);
  if (status === undefined || profiles === undefined) {
    return (
      <section className="section" aria-labelledby="people-title">
        <h2 id="people-title">Requesters</h2>
        <p className="hint">Handrail has not listed the requesters yet.</p>
      </section>
    );
  }
  return (
    <section className="section" aria-labelledby="people-title">
      <h2 id="people-title">Requesters</h2>
      <p className="hint">
        A user id is only a name: any program on this computer can use it, unless you lock it with a key.
      </p>
      <LockName requesters={status.requesters} model={model} />
      <ul className="cards">
        {personRows(status.requesters, profiles).map((row) => (
          <PersonCard key={row.userId} row={row} profiles={profiles.items} now={now} model={model} />
        ))}
      </ul>
    </section>
  );
}
