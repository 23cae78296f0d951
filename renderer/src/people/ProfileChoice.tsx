import { useId, useState } from 'react';
import type { ProfileList } from '../../../src/contract/profile.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../visible-text.ts';
import { EVERYBODY_ELSE, type PersonRow } from './person-rows.ts';
import { profileSentence } from './profile-words.ts';

type Props = { row: PersonRow; profiles: ProfileList['items']; model: DashboardModel };

/** Stands in the select for "no profile of one's own"; no profile can be called that. */
const SHARED = '';

/**
 * The profile that applies, and another to put in its place. A choice changes nothing until it is applied. Otherwise a person who
 * goes through the list by keyboard would give each profile for a moment.
 */
export function ProfileChoice({ row, profiles, model }: Props) {
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
