import { Dashboard } from './Dashboard.tsx';
import type { PreferenceStore } from './preferences.ts';
import { SignIn } from './session/SignIn.tsx';
import type { PageSession } from './session/session.ts';
import { useObservable } from './use-observable.ts';

type Props = { fetch: typeof globalThis.fetch; session: PageSession; preferences: PreferenceStore };

/** Sign-in or, for a person who is signed in, the dashboard. */
export function Page({ fetch, session, preferences }: Props) {
  const current = useObservable(session);
  if (current.state === 'signed in') {
    return (
      <Dashboard
        key={current.key}
        fetch={fetch}
        sessionKey={current.key}
        preferences={preferences}
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
