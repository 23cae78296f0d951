import type { Room } from '../room.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { LockName } from './LockName.tsx';
import { PersonCard } from './PersonCard.tsx';
import { personRows } from './person-rows.ts';

/** Everybody who asks, each with what they may do and the ways to change it. */
export function People({ room }: { room: Room }) {
  const { status, profiles } = useObservable(room.feed);
  const now = useNow(30_000);
  if (status === undefined || profiles === undefined) {
    return (
      <div className="empty">
        <h1>Nobody to show</h1>
        <p>Handrail has not said yet who asks and what applies to them.</p>
      </div>
    );
  }
  return (
    <section className="people" aria-labelledby="people-title">
      <h1 id="people-title">Who asks, and what they may do</h1>
      <p className="hint">
        A user id is only a name: any program on this computer can use it, unless you lock it with a key.
      </p>
      <LockName requesters={status.requesters} room={room} />
      <ul className="cards">
        {personRows(status.requesters, profiles).map((row) => (
          <PersonCard key={row.userId} row={row} profiles={profiles.items} now={now} room={room} />
        ))}
      </ul>
    </section>
  );
}
