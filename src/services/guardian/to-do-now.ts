import { permissionWords } from '../../guardian/insights/operation.ts';
import type { AgentPort } from '../agent/port.ts';
import { missingPermissions } from '../agent/watch.ts';
import type { Context } from '../context.ts';
import type { ToDo } from './warnings.ts';

const MOST_PAUSED = 50;

type Parts = {
  port: AgentPort;
  /** When the person stopped everything, if they did and have not resumed. */
  pausedAt(): string | undefined;
  /** The name its reader knows a user by. */
  nameOf(userId: string): string;
};

/** Open work for the person: problems that only a person can solve, or must wait for. */
export function toDoNow({ store }: Context, { port, pausedAt, nameOf }: Parts): ToDo[] {
  const stoppedAt = pausedAt();
  return [
    ...(stoppedAt === undefined ? [] : [{ ...STOPPED, sinceMs: Date.parse(stoppedAt) }]),
    ...(port.status() === 'offline' ? [OFFLINE] : []),
    ...missingPermissions(port).map((name) => ({
      subject: `permission ${name}`,
      message: `The permission for ${permissionWords(name)} is missing: grant it in the system settings.`,
    })),
    ...store.users.paused(MOST_PAUSED).map(({ id, pausedAtMs }) => ({
      subject: `paused ${id}`,
      message: `Requests of ${nameOf(id)} are paused: look at its requests, then resume it or leave it paused.`,
      sinceMs: pausedAtMs,
    })),
  ];
}

const STOPPED: ToDo = {
  subject: 'everything paused',
  message: 'Everything is paused: nothing runs, and nothing new is accepted. Resume at the dashboard to go on.',
};

/** The port says `starting` while another start is scheduled, and `offline` when none is. */
const OFFLINE: ToDo = {
  subject: 'agent offline',
  message:
    'The agent stopped and could not restart, so no action can run. Press "Start the agent again" at the dashboard. The log of Handrail says why the agent stopped.',
};
