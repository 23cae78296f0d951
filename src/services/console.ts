import type { ConsoleSettings, ConsoleStatus } from '../contract/console.ts';
import type { Task } from '../contract/task.ts';
import { viewStored } from './action-view.ts';
import type { LiveActions } from './actions/live-actions.ts';
import type { Runner } from './actions/runner.ts';
import type { AgentPort, AgentStatus } from './agent-port.ts';
import type { Confirmations } from './confirmations/confirmations.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import type { ConsoleSettingsStore } from './console-settings.ts';
import type { Context } from './context.ts';
import type { EmergencyStop } from './emergency-stop.ts';
import type { Grants } from './grants.ts';
import { journalSelf } from './journal-self.ts';
import { verifyJournal } from './journal-verification.ts';
import { readPage } from './pages.ts';
import type { Permissions } from './permissions.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Requesters } from './requesters.ts';
import type { ConsoleService, DeviceService } from './services.ts';

type Parts = {
  port: AgentPort;
  restartAgent(): void;
  live: LiveActions;
  runner: Runner;
  sessions: ConsoleSessions;
  confirmations: Confirmations;
  grants: Grants;
  permissions: Permissions;
  requesters: Requesters;
  stop: EmergencyStop;
  settings: ConsoleSettingsStore;
  tasks: { all: ConsoleService['tasks']; byId(taskId: string): Task; resolveStep: ConsoleService['resolveStep'] };
  devices: DeviceService & { all(): ReturnType<ConsoleService['devices']> };
};

/** What only the person at the dashboard may do. */
export function createConsoleService(context: Context, parts: Parts): ConsoleService {
  const { sessions, confirmations, grants, permissions, requesters, stop, settings } = parts;
  const { store } = context;
  const status = () => statusOf(context, parts);
  return {
    openSession: sessions.open,
    closeSession: sessions.close,
    isSession: sessions.isOpen,
    wasSession: sessions.wasOpen,
    sessionSignal: sessions.signal,
    whyEnded: sessions.whyEnded,
    createSignInCode: sessions.createCodeIn,
    sessions: sessions.list,
    endSession: sessions.endById,
    endOtherSessions: (key) => ({ ended: sessions.endOthers(key) }),
    confirmations: confirmations.list,
    confirmation: confirmations.get,
    confirmationShown: confirmations.shown,
    hold: confirmations.hold,
    decide(confirmationId, decision) {
      const decided = confirmations.decide(confirmationId, decision);
      if (isRefusal(decided)) return decided;
      return decided.kind === 'action' ? viewStored(context, decided.row) : parts.tasks.byId(decided.taskId);
    },
    status,
    grants: grants.list,
    revokeGrant: grants.revoke,
    profiles: permissions.list,
    putProfile: permissions.put,
    removeProfile: permissions.remove,
    assignProfile: permissions.assign,
    createUserKey: requesters.createKey,
    removeUserKey: requesters.removeKey,
    resumeUser: requesters.resume,
    pauseUser(userId) {
      const paused = requesters.pause(userId, 'the person paused it');
      if (!isRefusal(paused)) confirmations.denyAllOf(userId);
      return paused;
    },
    denyAllOf: (userId) => ({ denied: confirmations.denyAllOf(userId) }),
    pause() {
      stop.pause();
      return status();
    },
    resume() {
      const resumed = stop.resume();
      return resumed === undefined ? status() : resumed.then(status);
    },
    restartAgent() {
      const agent = parts.port.status();
      if (agent !== 'offline') return notOffline(agent);
      journalSelf(context, { kind: 'agent.start_requested' });
      parts.restartAgent();
      return status();
    },
    settings: settings.get,
    putSettings: (next: ConsoleSettings) => settings.put(next),
    devices: parts.devices.all,
    activity: (page) =>
      readPage(page, {
        read: (beforeId, limit) => store.actions.page({ userId: null, beforeId, limit }),
        view: (row) => viewStored(context, row),
      }),
    tasks: parts.tasks.all,
    resolveStep: parts.tasks.resolveStep,
    verifyAudit: () => verifyJournal(context),
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
  const requesters = parts.requesters.list();
  return {
    paused: pausedAt !== undefined,
    ...(pausedAt === undefined ? {} : { pausedAt }),
    agent: parts.port.status(),
    // Every requester with a prompt that waits is listed.
    waiting: requesters.reduce((sum, { waiting }) => sum + waiting, 0),
    running: parts.runner.runningCount(),
    requesters,
    lastEventId: String(store.journal.head().seq),
  };
}
