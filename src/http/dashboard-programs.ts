import type { Socket } from 'node:net';
import type { DashboardProgram } from '../contract/own-window.ts';
import type { CallingProgram } from '../contract/program.ts';
import type { ConsoleService } from '../services/offered-services.ts';
import type { Peers } from './peers.ts';

/** Tells which processes belong together with a program that holds a dashboard; nothing where the system does not name it. */
export type FindDashboard = (program: CallingProgram) => Promise<DashboardProgram | undefined>;

/** Tells the sessions which programs use them. */
export type DashboardWatch = {
  /** A session began on this connection; resolves when its program is known. Its key was given to nobody yet. */
  began(socket: Socket, key: string): Promise<void>;
  /** A call with the key of a session came on this connection. A connection is looked up once. */
  used(socket: Socket, key: string): void;
};

type Parts = {
  peers: Pick<Peers, 'makerOf' | 'holderOf'>;
  find: FindDashboard;
  sessions: Pick<ConsoleService['sessions'], 'shownIn'>;
};

export function createDashboardWatch({ peers, find, sessions }: Parts): DashboardWatch {
  const keys = new WeakMap<Socket, string>();

  async function note(program: Promise<CallingProgram>, key: string): Promise<void> {
    const found = await find(await program);
    if (found !== undefined) sessions.shownIn(key, found);
  }

  return {
    began(socket, key) {
      keys.set(socket, key);
      return note(peers.holderOf(socket), key);
    },
    used(socket, key) {
      if (keys.get(socket) === key) return;
      keys.set(socket, key);
      void note(peers.makerOf(socket), key);
    },
  };
}
