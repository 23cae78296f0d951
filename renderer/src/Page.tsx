import { Dashboard } from './Dashboard.tsx';
import type { PreferenceStore } from './preferences.ts';
import { SignIn } from './session/SignIn.tsx';
import type { PageSession } from './session/session.ts';
import { useObservable } from './use-observable.ts';
import type { EarlyRisk } from './wire/early-answer.ts';

type Props = {
  fetch: typeof globalThis.fetch;
  session: PageSession;
  preferences: PreferenceStore;
  risk: EarlyRisk['risk'];
};

/** Sign-in or, for a person who is signed in, the dashboard. */
export function Page({ fetch, session, preferences, risk }: Props) {
  const current = useObservable(session);
  if (current.state === 'signed in') {
    return (
      <Dashboard
        key={current.key}
        fetch={fetch}
        sessionKey={current.key}
        preferences={preferences}
        risk={risk?.key === current.key ? risk.dashboard : undefined}
        onSessionLost={session.lost}
        onSignOut={() => void session.signOut()}
      />
    );
  }
  return (
    <>
      <title>Sign in – Handrail</title>
      <SignIn
        isBusy={current.state === 'signing in'}
        notice={current.state === 'signed out' ? current.notice : undefined}
        onCode={(code) => void session.signIn(code)}
        onHere={session.signInHere}
      />
    </>
  );
}
