import type { ConsoleSettings, ConsoleStatus } from '../../contract/console.ts';
import type { DaemonFacts } from '../../contract/daemon-facts.ts';
import type { Task } from '../../contract/task.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import { viewStored } from '../actions/action-view.ts';
import type { Execution } from '../actions/execution.ts';
import type { FileUndos } from '../actions/file-undo.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { AgentPort, AgentStatus } from '../agent/port.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import { visible } from '../confirmations/prompt-words.ts';
import type { TargetPictures } from '../confirmations/target-pictures.ts';
import type { Context } from '../context.ts';
import type { EmergencyStop } from '../lifecycle/emergency-stop.ts';
import type { ScreenLock } from '../lifecycle/screen-lock.ts';
import type { AllowedFolders } from '../permissions/allowed-folders.ts';
import type { Grants } from '../permissions/grants.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { ArtifactKeeper } from '../records/artifacts.ts';
import { journalSelf } from '../records/journal-self.ts';
import { verifyJournal } from '../records/journal-verification.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { RequesterList } from '../requesters/requester-list.ts';
import type { Requesters } from '../requesters/requesters.ts';
import type { ConsoleService } from '../services.ts';
import type { ConsoleSessions } from '../sessions/sessions.ts';
import type { Activity } from './activity.ts';
import { RETENTION } from './retention-words.ts';
import type { ConsoleSettingsStore } from './settings.ts';
import { underWay } from './under-way.ts';

type Parts = {
  activity: Activity;
  artifacts: Pick<ArtifactKeeper, 'openForPerson'>;
  version: string;
  variables: DaemonFacts['variables'];
  port: AgentPort;
  restartAgent(): void;
  live: LiveActions;
  fileUndos: FileUndos;
  execution: Execution;
  sessions: ConsoleSessions;
  confirmations: Confirmations;
  targetPicture: TargetPictures;
  grants: Grants;
  folders: AllowedFolders;
  permissions: Permissions;
  requesters: Requesters;
  requesterList: RequesterList;
  stop: EmergencyStop;
  /** Holds everything while nobody can sit at the computer. */
  screen: Pick<ScreenLock, 'refusal'>;
  settings: ConsoleSettingsStore;
  actions: { cancelByPerson: ConsoleService['cancelAction'] };
  tasks: {
    all: ConsoleService['tasks'];
    byId(taskId: string): Task;
    find: ConsoleService['task'];
    cancelByPerson: ConsoleService['cancelTask'];
    unfinished(): TaskRow[];
    resolveStep: ConsoleService['resolveStep'];
  };
  devices: { all: ConsoleService['devices']; removeByPerson: ConsoleService['removeDevice'] };
};

/** Operations for the person at the dashboard only. */
export function createConsoleService(context: Context, parts: Parts): ConsoleService {
  const { sessions, confirmations, grants, permissions, requesters, requesterList, stop, settings } = parts;
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
    undoDenial: confirmations.undo,
    status,
    grants: grants.list,
    revokeGrant: grants.revoke,
    profiles: permissions.list,
    putProfile: permissions.put,
    removeProfile: permissions.remove,
    assignProfile: permissions.assign,
    createUserKey: requesters.createKey,
    removeUserKey: (userId) => requesterList.view(requesters.removeKey(userId)),
    resumeUser: (userId) => requesterList.view(requesters.resume(userId)),
    pauseUser(userId) {
      const paused = requesters.pause(userId, 'you paused it');
      if (!isRefusal(paused)) confirmations.denyAllOf(userId);
      return requesterList.view(paused);
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
    about: () => ({ version: parts.version, variables: parts.variables, retention: RETENTION }),
    activity: parts.activity.list,
    activityDetail: parts.activity.detail,
    task: parts.tasks.find,
    ...placesOf(parts),
    ...workOf(parts),
    verifyAudit: () => verifyJournal(context),
  };
}

/** The verbs about devices and the folders that requesters may use. */
function placesOf({
  devices,
  folders,
}: Parts): Pick<ConsoleService, 'devices' | 'removeDevice' | 'folders' | 'allowFolder' | 'removeFolder'> {
  return {
    devices: devices.all,
    removeDevice: devices.removeByPerson,
    folders: folders.list,
    allowFolder: folders.allow,
    removeFolder: folders.remove,
  };
}

type Work = 'tasks' | 'resolveStep' | 'cancelAction' | 'undoAction' | 'cancelTask' | 'targetPicture' | 'artifact';

/** The verbs about actions, tasks and pictures of any requester. */
function workOf({ actions, tasks, targetPicture, artifacts, fileUndos }: Parts): Pick<ConsoleService, Work> {
  return {
    targetPicture,
    artifact: artifacts.openForPerson,
    tasks: tasks.all,
    resolveStep: tasks.resolveStep,
    cancelAction: actions.cancelByPerson,
    undoAction: fileUndos.undo,
    cancelTask: tasks.cancelByPerson,
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
  return {
    paused: pausedAt !== undefined,
    ...(pausedAt === undefined ? {} : { pausedAt }),
    locked: parts.screen.refusal() !== undefined,
    agent: parts.port.status(),
    // Every requester with a prompt that waits is listed.
    waiting: requesters.reduce((sum, { waiting }) => sum + waiting, 0),
    running: parts.execution.runningCount(),
    underWay: underWay({
      actions: parts.live.all(),
      tasks: parts.tasks.unfinished(),
      sentenceOf: (row) => visible(parts.live.assessmentOf(row)?.sentence ?? row.actionType),
    }),
    requesters,
    lastEventId: String(store.journal.head().seq),
  };
}
