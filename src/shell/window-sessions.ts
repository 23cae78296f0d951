/** The person's side of the daemon, as far as sessions need it. */
type SessionDoor<Session> = { openSession(publicKey?: string): Session; closeSession(key: string): void };

/**
 * The sessions of our windows, each under the id of the window's contents. A window has one session at a time: opening another one ends the
 * one before, and `close` ends it together with the window.
 */
export function createWindowSessions<Session extends { key: string }>(person: SessionDoor<Session>) {
  const keys = new Map<number, string>();
  const close = (contentsId: number): void => {
    const key = keys.get(contentsId);
    keys.delete(contentsId);
    if (key !== undefined) person.closeSession(key);
  };
  return {
    close,
    open(contentsId: number, publicKey?: string): Session {
      close(contentsId);
      const session = person.openSession(publicKey);
      keys.set(contentsId, session.key);
      return session;
    },
  };
}
