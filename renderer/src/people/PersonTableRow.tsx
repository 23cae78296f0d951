import { useId, useState } from 'react';
import type { Requester } from '../../../src/contract/console-status.ts';
import type { ProfileList } from '../../../src/contract/profile.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { dayWords } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { FreshKey } from './FreshKey.tsx';
import { EVERYBODY_ELSE, type PersonRow } from './person-rows.ts';
import { profileSentence } from './profile-words.ts';

type Props = { row: PersonRow; profiles: ProfileList['items']; now: number; model: DashboardModel };

export function PersonTableRow({ row, profiles, now, model }: Props) {
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

function RequesterWords({ row: { userId, requester }, now }: Pick<Props, 'row' | 'now'>) {
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
