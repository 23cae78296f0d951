import { useState } from 'react';
import type { PolicyDiff } from '../../../src/contract/policy.ts';
import type { ProfileList } from '../../../src/contract/profile.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../hooks.ts';
import { EVERYBODY_ELSE } from '../people/person-rows.ts';
import { profileSentence } from '../people/profile-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { ruleSentence } from './rule-words.ts';

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

/** What a profile would have done within the last week, before the person lets it apply to anybody. */
function Watch({ name, model }: { name: string; model: DashboardModel }) {
  const [seen, setSeen] = useState<PolicyDiff | string>();
  const look = async () => {
    const told = await model.client.watchProfile(name);
    setSeen(told.ok ? told.value : told.failure.detail);
  };
  return (
    <>
      <button type="button" aria-label={`Try on the last week: ${name}`} onClick={() => void look()}>
        Try on the last week
      </button>
      <div role="status" className="watched">
        {typeof seen === 'string' ? seen : seen !== undefined && watchSentence(seen)}
        {typeof seen === 'object' && (
          <ul className="rule-rows">
            {seen.newlyAllowed.examples.map((each) => (
              <li key={changeLine(each)}>
                <VisibleText>{changeLine(each)}</VisibleText>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** What a profile would have done within the days that were compared, in one sentence. */
function watchSentence({ days, judged, withoutContents, would, newlyAllowed }: PolicyDiff): string {
  if (judged === 0) return `Nobody has asked for anything in the last ${days} days.`;
  const all = `Of ${times(judged, 'action')} in the last ${days} days it would have asked ${times(would.ask, 'time')} and blocked ${would.block}.`;
  const allowed = newlyAllowed.count === 0 ? 'It allows nothing new.' : `Newly allowed: ${newlyAllowed.count}.`;
  const old =
    withoutContents === 0
      ? ''
      : ` ${withoutContents} of them are judged by type, risk and time only: their apps and paths are no longer kept.`;
  return `${all} ${allowed}${old}`;
}

/** Actions that get another verdict, in a line. */
function changeLine({ count, userId, actionType, sentence }: PolicyDiff['newlyAllowed']['examples'][number]): string {
  return `${count} × ${userId}: ${sentence ?? actionType}`;
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

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
