/** How long the person stays signed in on this page, and the button that ends it. */
export function SignOut({ onSignOut }: { onSignOut: () => void }) {
  return (
    <section className="section" aria-labelledby="sign-out-title">
      <h2 id="sign-out-title">Sign out</h2>
      <p className="hint">
        You are signed in on this page until you close it, sign out, or do not use it for twelve hours. Requests keep
        waiting. To sign in again you need a fresh code.
      </p>
      <button type="button" onClick={onSignOut}>
        Sign out
      </button>
    </section>
  );
}
