import type { AgentPort } from '../agent-port.ts';
import { missingPermissions } from '../agent-watch.ts';
import type { Context } from '../context.ts';
import type { ToDo } from './warnings.ts';

const MOST_PAUSED = 50;

/** What nothing but a person can put right, or has to wait for. */
export function toDoNow({ store }: Context, port: AgentPort, nameOf: (userId: string) => string): ToDo[] {
  return [
    ...(port.status() === 'offline' ? [OFFLINE] : []),
    ...missingPermissions(port).map((name) => ({
      subject: `permission ${name}`,
      message: `The permission ${name} is missing: grant it in the system settings.`,
    })),
    ...store.users.paused(MOST_PAUSED).map(({ id, pausedAtMs }) => ({
      subject: `paused ${id}`,
      message: `Requests of ${nameOf(id)} are paused: look at what was asked, then resume or leave it.`,
      sinceMs: pausedAtMs,
    })),
  ];
}

const OFFLINE: ToDo = {
  subject: 'agent offline',
  message: 'The device agent is offline: nothing can run until it is back. It is started again by itself.',
};
