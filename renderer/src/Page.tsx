import { Dashboard } from './Dashboard.tsx';
import { SignIn } from './session/SignIn.tsx';
import type { PageSession } from './session/session.ts';
import { useObservable } from './use-observable.ts';

/** Sign-in or, for a person who is signed in, the dashboard. */
export function Page({ session }: { session: PageSession }) {
  const current = useObservable(session);
  if (current.state === 'signed in') {
    return (
      <Dashboard
        key={current.key}
        sessionKey={current.key}
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
      />
    </>
  );
}
