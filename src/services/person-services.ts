import type { ConsoleStatus } from '../contract/console-status.ts';
import { LOOK_AGAIN } from '../contract/link.ts';
import type { DaemonFacts, ReachTrials } from '../contract/settings.ts';
import type { Execution } from './actions/execution.ts';
import type { LiveActions } from './actions/live-actions.ts';
import type { AgentPort, AgentStatus } from './agent/port.ts';
import type { AgentQuestions } from './agent/questions.ts';
import type { UntoldApps } from './agent/watch.ts';
import type { Confirmations } from './confirmations/confirmations.ts';
import { underWay } from './console/activity.ts';
import { RETENTION } from './console/settings.ts';
import type { StolenSessions } from './console/stolen-session.ts';
import type { Context } from './context.ts';
import type { EmergencyStop } from './lifecycle/emergency-stop.ts';
import type { ScreenLock } from './lifecycle/screen-lock.ts';
import type { StorageWatch } from './lifecycle/storage-watch.ts';
import type { ConsoleService } from './offered-services.ts';
import type { Grants } from './permissions/grants.ts';
import { visible } from './prompt-words.ts';
import { journalSelf, verifyJournal } from './records/verification.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { RequesterList, Requesters } from './requesters/requesters.ts';
import type { Tasks } from './tasks/tasks.ts';

/** The members that this file makes. The others are services as they are. */
type MadeHere =
  | 'requesters'
  | 'status'
  | 'pause'
  | 'resume'
  | 'restartAgent'
  | 'switchAccessibilityOn'
  | 'answerStolenSession'
  | 'tryToReach'
  | 'about'
  | 'verifyAudit';

type Parts = Omit<ConsoleService, MadeHere> & {
  confirmations: Pick<Confirmations, 'endPaused'>;
  version: string;
  variables: DaemonFacts['variables'];
  connectCommand?: string | undefined;
  port: AgentPort;
  home?: string | undefined;
  restartAgent(): void;
  switchAccessibilityOn?: (() => Promise<void>) | undefined;
  ask: AgentQuestions['ask'];
  untoldApps: UntoldApps;
  tryToReach?: (() => Promise<ReachTrials['items']>) | undefined;
  live: LiveActions;
  execution: Execution;
  requesters: Requesters;
  requesterList: RequesterList;
  stop: EmergencyStop;
  stolen: StolenSessions;
  grants: Pick<Grants, 'list' | 'revoke' | 'endedAccess'>;
  /** Holds everything while nobody can sit at the computer. */
  screen: Pick<ScreenLock, 'refusal'>;
  storageWatch: Pick<StorageWatch, 'troubles'>;
  tasks: Pick<Tasks, 'unfinished'>;
};

/** The services of the person at the dashboard, and the operations that combine several of them. */
export function createConsoleService(context: Context, parts: Parts): ConsoleService {
  const { sessions, confirmations, targetPicture, grants, profiles, policy, folders, settings } = parts;
  const { devices, machines, activity, runs, procedures, artifacts, actions, fileUndos, tasks, stop } = parts;
  const status = () => statusOf(context, parts);
  return {
    sessions,
    confirmations,
    targetPicture,
    grants,
    profiles,
    policy,
    folders,
    requesters: requestersOf(parts),
    settings,
    devices,
    machines,
    activity,
    runs,
    procedures,
    artifacts,
    actions,
    fileUndos,
    tasks,
    status,
    pause() {
      stop.pause();
      return status();
    },
    async resume() {
      await stop.resume();
      return status();
    },
    restartAgent() {
      const agent = parts.port.status();
      if (agent !== 'offline') return notOffline(agent);
      journalSelf(context, { kind: 'agent.start_requested' });
      parts.restartAgent();
      return status();
    },
    async switchAccessibilityOn() {
      try {
        await parts.switchAccessibilityOn?.();
      } catch (error) {
        context.log.warn({ err: error }, 'accessibility could not be switched on');
        return NO_SWITCH;
      }
      await parts.ask({ type: LOOK_AGAIN, parameters: {} });
      return status();
    },
    answerStolenSession({ answer }) {
      if (answer === 'keep') parts.stolen.keepAll();
      else parts.stolen.takeBack({ ...parts, permissions: profiles });
      return status();
    },
    tryToReach: async () => ({ items: (await parts.tryToReach?.()) ?? [] }),
    about: () => aboutOf(parts),
    verifyAudit: () => verifyJournal(context),
  };
}

const NO_SWITCH: Refusal = {
  refused: 'not_supported',
  detail: 'The desktop did not take it: org.a11y.Bus does not answer on the session bus. The log says more.',
};

function aboutOf({ version, variables, connectCommand }: Parts): DaemonFacts {
  return { version, variables, connectCommand, retention: RETENTION };
}

function requestersOf({ requesters, requesterList, confirmations }: Parts): ConsoleService['requesters'] {
  return {
    createKey: requesters.createKey,
    removeKey: (userId) => requesterList.view(requesters.removeKey(userId)),
    resume: (userId) => requesterList.view(requesters.resume(userId)),
    pause(userId) {
      const paused = requesters.pause(userId, 'you paused it');
      if (!isRefusal(paused)) confirmations.endPaused(userId);
      return requesterList.view(paused);
    },
  };
}

function notOffline(agent: Exclude<AgentStatus, 'offline'>): Refusal {
  const state =
    agent === 'online'
      ? 'The agent is online: there is nothing to start again.'
      : 'The agent is being started already; the status says when it is online.';
  return { refused: 'agent_not_offline', detail: state, facts: { agent } };
}

function statusOf({ store }: Context, parts: Parts): ConsoleStatus {
  const pausedAt = parts.stop.pausedAt();
  const requesters = parts.requesterList.list();
  const troubles = parts.storageWatch.troubles();
  const stolenSession = parts.stolen.view();
  const endedAccess = parts.grants.endedAccess();
  const hasUntoldApps = parts.untoldApps.isTold();
  return {
    paused: pausedAt !== undefined,
    pausedAt,
    locked: parts.screen.refusal() !== undefined,
    agent: parts.port.status(),
    home: parts.home,
    // Every requester with a prompt that waits is listed.
    waiting: requesters.reduce((sum, { waiting }) => sum + waiting, 0),
    running: [...parts.execution.running().values()].reduce((sum, count) => sum + count, 0),
    ...(troubles.length === 0 ? {} : { troubles }),
    stolenSession,
    ...(endedAccess.length > 0 && { endedAccess: [...endedAccess] }),
    ...(hasUntoldApps && { hasUntoldApps }),
    underWay: underWay({
      actions: parts.live.all(),
      tasks: parts.tasks.unfinished(),
      sentenceOf: (row) => visible(parts.live.assessmentOf(row)?.sentence ?? row.actionType),
    }),
    requesters,
    lastEventId: String(store.journal.head().seq),
  };
}
