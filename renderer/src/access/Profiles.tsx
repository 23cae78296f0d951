import type { ProfileList } from '../../../src/contract/profile.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { EVERYBODY_ELSE } from '../people/person-rows.ts';
import { profileSentence } from '../people/profile-words.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';

/** Every profile in a sentence, with the requesters it applies to. */
export function Profiles({ model }: { model: DashboardModel }) {
  const { profiles } = useObservable(model.feed);
  if (profiles === undefined) return null;
  return (
    <section className="section" aria-labelledby="profiles-title">
      <h2 id="profiles-title">Profiles</h2>
      <p className="hint">
        A profile decides for each level of risk whether an action runs, asks you, or is blocked. You make your own with
        PUT /api/console/profiles.
      </p>
      <dl className="facts profiles">
        {profiles.items.map((profile) => (
          <div key={profile.name}>
            <dt>
              {profile.name}
              {profile.builtIn && <span className="tag">built in</span>}
            </dt>
            <dd>
              {profileSentence(profile)} <Users name={profile.name} assignments={profiles.assignments} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
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
