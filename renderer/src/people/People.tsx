import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Requester } from '../../../src/contract/console-status.ts';
import type { ProfileList } from '../../../src/contract/profile.ts';
import { FieldFault, faultOf } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow, useObservable } from '../hooks.ts';
import type { Notices } from '../notices.ts';
import { dayWords } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { EVERYBODY_ELSE, type PersonRow, personRows } from './person-rows.ts';
import { profileSentence } from './profile-words.ts';

/** The form of a user id, as the daemon checks it. */
const USER_ID = '[A-Za-z0-9._@:+\\-]{1,128}';

type PersonTableRowProps = { row: PersonRow; profiles: ProfileList['items']; now: number; model: DashboardModel };

type FreshKeyProps = { userId: string; value: string; notices: Notices; onKept: () => void };

/** A key that was just made: the only time it can be read. */
function FreshKey({ userId, value, notices, onKept }: FreshKeyProps) {
  const box = useRef<HTMLElement>(null);
  // Newer browsers answer with a promise, which an effect must not return.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => notices.done(`The key of ${userId} is on the clipboard.`),
      () => notices.problem('The browser did not let the page copy. Select the key and copy it yourself.'),
    );
  return (
    <section ref={box} className="fresh-key" aria-label={`The new key of ${userId}`}>
      <p>This key will not be shown again. Keep it now, and send it with every call under this name:</p>
      <code className="key">
        Authorization: Bearer <span className="key-value">{value}</span>
      </code>
      <div className="person-buttons">
        <button type="button" onClick={copy} aria-label={`Copy the key of ${userId}`}>
          Copy the key
        </button>
        <button type="button" onClick={onKept} aria-label={`I have kept it: the key of ${userId}`}>
          I have kept it
        </button>
      </div>
    </section>
  );
}

function PersonTableRow({ row, profiles, now, model }: PersonTableRowProps) {
  const { userId, requester } = row;
  const [freshKey, setFreshKey] = useState<string>();
  return (
    <>
      <tr className="person">
        <th scope="row">
          <p>{userId === EVERYBODY_ELSE ? 'Everybody else (*)' : <VisibleText>{userId}</VisibleText>}</p>
          <RequesterWords row={row} now={now} />
        </th>
        <td>
          <ProfileChoice row={row} profiles={profiles} model={model} />
        </td>
        <td className="access-buttons">
          {requester !== undefined && <PersonButtons requester={requester} model={model} onFreshKey={setFreshKey} />}
        </td>
      </tr>
      {requester?.hasKey && freshKey !== undefined && (
        <tr>
          <td colSpan={3}>
            <FreshKey userId={userId} value={freshKey} notices={model.notices} onKept={() => setFreshKey(undefined)} />
          </td>
        </tr>
      )}
    </>
  );
}

function RequesterWords({ row: { userId, requester }, now }: Pick<PersonTableRowProps, 'row' | 'now'>) {
  if (userId === EVERYBODY_ELSE)
    return <p className="hint">Requesters without a profile of their own, and new requesters.</p>;
  if (requester === undefined) return <p className="hint">No requests lately.</p>;
  const { knownSince, waiting, hasKey, pausedBecause } = requester;
  const asks = waiting === 1 ? '1 request waiting' : `${waiting} requests waiting`;
  return (
    <>
      <p className="hint">
        known since {dayWords(Date.parse(knownSince), now)} · {waiting === 0 ? 'no requests waiting' : asks} ·{' '}
        {hasKey ? 'locked with a key' : 'no key'}
      </p>
      {pausedBecause !== null && (
        <p className="person-paused">
          Paused: <VisibleText>{pausedBecause}</VisibleText>
        </p>
      )}
    </>
  );
}

type ButtonsProps = { requester: Requester; model: DashboardModel; onFreshKey: (key: string | undefined) => void };

function PersonButtons({ requester: { userId, pausedBecause, hasKey }, model, onFreshKey }: ButtonsProps) {
  const { client, act } = model;
  const [isBusy, setIsBusy] = useState(false);
  /** The second click of two would take back what the first one did. */
  const once = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setIsBusy(true);
    await work();
    setIsBusy(false);
  };
  const lock = async () => {
    const created = await client.createUserKey(userId);
    if (created.ok) onFreshKey(created.value.key);
    await act(Promise.resolve(created), `${userId} is locked: calls under this name need the key from now on.`);
  };
  const unlock = async () => {
    onFreshKey(undefined);
    await act(client.removeUserKey(userId), `${userId} no longer needs a key.`);
  };
  const pause = () => act(client.pauseUser(userId), `${userId} is paused; its waiting requests were ended.`);
  const resume = () => act(client.resumeUser(userId), `${userId} may ask again.`);
  const isPaused = pausedBecause !== null;
  return (
    <div className="person-buttons">
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => once(isPaused ? resume : pause)}
        aria-label={`${isPaused ? 'Resume' : 'Pause'} ${visibleText(userId)}`}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => once(hasKey ? unlock : lock)}
        aria-label={hasKey ? `Remove the key of ${visibleText(userId)}` : `Lock with a key: ${visibleText(userId)}`}
      >
        {hasKey ? 'Remove the key' : 'Lock with a key'}
      </button>
    </div>
  );
}

type ProfileChoiceProps = { row: PersonRow; profiles: ProfileList['items']; model: DashboardModel };

/** Stands in the select for "no profile of one's own"; no profile can be called that. */
const SHARED = '';

/**
 * The profile that applies, and another to put in its place. A choice changes nothing until it is applied. Otherwise a person who
 * goes through the list by keyboard would give each profile for a moment.
 */
function ProfileChoice({ row, profiles, model }: ProfileChoiceProps) {
  const [picked, setPicked] = useState<string>();
  const id = useId();
  const { userId, profile, assignment } = row;
  const isForEverybody = userId === EVERYBODY_ELSE;
  const who = isForEverybody ? 'everybody else' : visibleText(userId);
  const current = assignment === 'own' ? profile : SHARED;
  const chosen = picked ?? current;
  const isChanged = chosen !== current;
  const explained = profiles.find(({ name }) => name === (chosen === SHARED ? profile : chosen));
  const apply = async () => {
    if (!isChanged) return;
    await model.act(model.client.assignProfile(userId, chosen), `${chosen} applies to ${who} now.`);
    setPicked((latest) => (latest === chosen ? undefined : latest));
  };
  return (
    <div className="profile-choice">
      <select
        id={id}
        aria-label={`Profile of ${who}`}
        aria-describedby={`${id}-sentence`}
        value={chosen}
        onChange={({ target }) => setPicked(target.value)}
      >
        {assignment === 'shared' && <option value={SHARED}>as everybody else: {profile}</option>}
        {profiles.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className={isChanged ? 'primary' : ''}
        aria-disabled={!isChanged}
        aria-label={`Apply the profile to ${who}`}
        onClick={apply}
      >
        Apply
      </button>
      <p className="hint" id={`${id}-sentence`} aria-live="polite">
        {explained === undefined ? '' : profileSentence(explained)}
      </p>
    </div>
  );
}

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
