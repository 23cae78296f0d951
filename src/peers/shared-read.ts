/** Joins callers to one read that begins after each of them asked: an earlier read may lack the newest sockets. */
export function sharedRead(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const current = read();
      running = current.catch(() => undefined);
      return current;
    });
    return next;
  };
}
