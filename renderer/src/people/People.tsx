import { type FormEvent, useId, useState } from 'react';
import type { Requester } from '../../../src/contract/console-status.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { FreshKey } from './FreshKey.tsx';
import { PersonTableRow } from './PersonTableRow.tsx';
import { personRows } from './person-rows.ts';

/** The form of a user id, as the daemon checks it. */
const USER_ID = '[A-Za-z0-9._@:+\\-]{1,128}';

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

type Props = { requesters: readonly Requester[]; model: DashboardModel };

/** Locks a name that no program has used yet, so that only a program with the key can be the first. */
function LockName({ requesters, model }: Props) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ userId: string; key: string }>();
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const id = useId();
  const { client, act, notices } = model;
  const lock = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (requesters.some(({ userId, hasKey }) => userId === name && hasKey))
      return setFault(`${name} is locked already. To make a new key, remove its key first.`);
    setFault(undefined);
    setIsBusy(true);
    const created = await client.createUserKey(name);
    if (created.ok) {
      setMade({ userId: name, key: created.value.key });
      setName('');
    }
    await act(Promise.resolve(created), `${name} is locked: calls under this name need the key from now on.`);
    setIsBusy(false);
  };
  return (
    <>
      <form className="lock-name" onSubmit={lock}>
        <label htmlFor={id}>Lock a name before its first use</label>
        <input
          id={id}
          value={name}
          {...faultOf(`${id}-fault`, fault)}
          onChange={({ target }) => setName(target.value)}
          required
          pattern={USER_ID}
          title="1 to 128 letters, digits and . _ @ : + -"
          autoComplete="off"
          spellCheck={false}
        />
        <button type="submit" aria-disabled={isBusy}>
          Lock the name
        </button>
        <FieldFault id={`${id}-fault`} fault={fault} />
      </form>
      {made !== undefined && (
        <FreshKey userId={made.userId} value={made.key} notices={notices} onKept={() => setMade(undefined)} />
      )}
    </>
  );
}
