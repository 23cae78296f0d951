type Nut = typeof import('@nut-tree-fork/nut-js');

/**
 * Loads nut.js. Its native part keeps one connection to the X server, and the process crashes when nut.js is used without a server or
 * after that server has ended. So callers get nut.js only for the connection that it began with.
 */
export type GuardedNut = {
  /**
   * `connection` is the number of the connection (`X11.layout`) over which the server has just answered. `null` when
   * nut.js cannot be loaded on this machine, or belongs to a server that is gone.
   */
  on(connection: number): Promise<Nut | null>;
};

export function createGuardedNut(load: () => Promise<Nut> = () => import('@nut-tree-fork/nut-js')): GuardedNut {
  let loading: Promise<Nut | null> | undefined;
  let boundTo: number | undefined;
  const loaded = () => {
    loading ??= load().catch(() => null);
    return loading;
  };
  return {
    async on(connection) {
      const nut = await loaded();
      boundTo ??= connection;
      return boundTo === connection ? nut : null;
    },
  };
}
