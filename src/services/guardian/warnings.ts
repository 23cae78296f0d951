import type { Warning, Window } from '../../contract/guardian.ts';
import { permissionWords } from '../../guardian/insights/operation.ts';
import type { AgentPort } from '../agent/port.ts';
import { missingPermissions } from '../agent/watch.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';

const MOST_LENGTHS = 100;

/** A matter that a person must see to now. `subject` is the same as long as it is about the same; `sinceMs` where it is known. */
export type ToDo = { subject: string; message: string; sinceMs?: number | undefined };

/** A warning before it is known since when. */
export type Concern = Omit<Warning, 'since'> & { subject: string; sinceMs?: number | undefined };

type Notices = {
  /** The concerns of now, each with when it was first noticed; others are forgotten. */
  note(concerns: readonly Concern[]): Warning[];
  sinceMs(subject: string): number | undefined;
};

/**
 * Urgent matters, then concerns about metrics. `since`: when a concern was first noticed, for each length of window by itself. In a
 * past window it is no later than the end of the window.
 */
export function createWarnings({ clock }: Pick<Context, 'clock'>) {
  const urgent = createNotices(clock.nowMs);
  const ofMetrics = new Map<number, Notices>();

  function ofWindow({ to, length }: Window, concerns: readonly Concern[]): Warning[] {
    const notices = ofMetrics.get(length) ?? createNotices(clock.nowMs);
    const endMs = Date.parse(to);
    if (endMs <= clock.nowMs()) {
      // Concerns of the past say nothing of now, so they are not noted.
      return concerns.map((each) => warningOf(each, Math.min(endMs, notices.sinceMs(each.subject) ?? endMs)));
    }
    if (ofMetrics.size < MOST_LENGTHS) ofMetrics.set(length, notices);
    return notices.note(concerns);
  }

  return {
    /** All of one window. To be called every minute for the usual one, so that it is known since when. */
    list(window: Window, of: { concerns: readonly Concern[]; now: readonly ToDo[] }): Warning[] {
      return [...urgent.note(of.now.map(urgentConcern)), ...ofWindow(window, of.concerns)];
    },
  };
}

function createNotices(nowMs: () => number): Notices {
  let noticed = new Map<string, number>();
  return {
    note(concerns) {
      const known = concerns.map((each) => {
        return { ...each, sinceMs: each.sinceMs ?? noticed.get(each.subject) ?? nowMs() };
      });
      noticed = new Map(known.map(({ subject, sinceMs }) => [subject, sinceMs]));
      return known.map((each) => warningOf(each, each.sinceMs));
    },
    sinceMs: (subject) => noticed.get(subject),
  };
}

function warningOf({ metricType, status, message }: Concern, sinceMs: number): Warning {
  return { metricType, status, message, since: timestamp(sinceMs) };
}

function urgentConcern({ message, ...which }: ToDo): Concern {
  return { metricType: null, status: 'bad', message, ...which };
}

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
