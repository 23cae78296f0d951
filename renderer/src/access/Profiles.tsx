import { useState } from 'react';
import type { ProfileList } from '../../../src/contract/profile.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { EVERYBODY_ELSE } from '../people/person-rows.ts';
import { profileSentence } from '../people/profile-words.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { ruleSentence } from './rule-words.ts';
import { Watch } from './Watch.tsx';

/** Every profile in a sentence, with the requesters it applies to. The person makes, changes and removes own profiles here. */
export function Profiles({ model }: { model: DashboardModel }) {
  const { profiles } = useObservable(model.feed);
  const [isNew, setIsNew] = useState(false);
  if (profiles === undefined) return null;
  return (
    <section className="section" aria-labelledby="profiles-title">
      <h2 id="profiles-title">Profiles</h2>
      <p className="hint">
        A profile says what runs, what asks you and what is blocked, by risk. Its rules do so for apps, paths and hours.
      </p>
      <dl className="facts profiles">
        {profiles.items.map((profile) => (
          <ProfileRow key={profile.name} profile={profile} assignments={profiles.assignments} model={model} />
        ))}
      </dl>
      {isNew ? (
        <ProfileForm model={model} taken={profiles.items.map(({ name }) => name)} onDone={() => setIsNew(false)} />
      ) : (
        <button type="button" onClick={() => setIsNew(true)}>
          New profile…
        </button>
      )}
    </section>
  );
}

type RowProps = {
  profile: ProfileList['items'][number];
  assignments: ProfileList['assignments'];
  model: DashboardModel;
};

function ProfileRow({ profile, assignments, model }: RowProps) {
  const [isEdited, setIsEdited] = useState(false);
  const { builtIn, ...own } = profile;
  const remove = () => model.act(model.client.removeProfile(own.name), `The profile ${own.name} is removed.`);
  return (
    <div>
      <dt>
        {own.name}
        {builtIn && <span className="tag">built in</span>}
      </dt>
      <dd>
        {profileSentence(profile)} <Users name={own.name} assignments={assignments} />
        {own.rules.length > 0 && !builtIn && !isEdited && (
          <ul className="rule-rows">
            {own.rules.map((rule) => (
              <li key={JSON.stringify(rule)}>
                <VisibleText>{ruleSentence(rule)}</VisibleText>
              </li>
            ))}
          </ul>
        )}
        {!builtIn && !isEdited && (
          <div className="card-buttons">
            <button type="button" aria-label={`Edit ${own.name}`} onClick={() => setIsEdited(true)}>
              Edit…
            </button>
            <button type="button" aria-label={`Remove ${own.name}`} onClick={() => void remove()}>
              Remove
            </button>
            {!assignments.some((each) => each.profile === own.name) && (
              <Watch key={JSON.stringify(own)} name={own.name} model={model} />
            )}
          </div>
        )}
        {isEdited && <ProfileForm model={model} profile={own} onDone={() => setIsEdited(false)} />}
      </dd>
    </div>
  );
}

function Users({ name, assignments }: { name: string; assignments: ProfileList['assignments'] }) {
  const users = assignments
    .filter(({ profile }) => profile === name)
    .map(({ userId }) => (userId === EVERYBODY_ELSE ? 'everybody else' : userId));
  if (users.length === 0) return null;
  return (
    <span className="hint">
      Applies to <VisibleText>{users.join(', ')}</VisibleText>.
    </span>
  );
}
