/** The person's own place below those who ask: how long they stay signed in, and the way out. */
export function SignOut({ onSignOut }: { onSignOut: () => void }) {
  return (
    <section className="sign-out" aria-labelledby="sign-out-title">
      <h2 id="sign-out-title">You</h2>
      <p className="hint">
        You are signed in on this page until you close it, sign out, or nobody is here for twelve hours. What waits for
        you goes on waiting; to come back takes a fresh code.
      </p>
      <button type="button" onClick={onSignOut}>
        Sign out
      </button>
    </section>
  );
}
