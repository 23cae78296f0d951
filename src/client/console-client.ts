import type { AllowedFolderList, FolderAllowance } from '../contract/access.ts';
import type { Action, ActionType } from '../contract/action.ts';
import type { ActivityDetail, ListedAction } from '../contract/activity.ts';
import type { Confirmation, Decision, Grant, PromptSeen, QueuedConfirmation } from '../contract/console.ts';
import type { ConsoleSeries, OutcomeSeries } from '../contract/console-series.ts';
import type { ConsoleStatus, Requester, StolenSessionAnswer } from '../contract/console-status.ts';
import type { Device } from '../contract/device.ts';
import type { Insight, MetricList, MetricType, TrendList } from '../contract/guardian.ts';
import type { Machine } from '../contract/machine.ts';
import type { MachineList, MachineView } from '../contract/machine-view.ts';
import type { PolicyDiff } from '../contract/policy.ts';
import type {
  IntentSubmission,
  PersonsProcedure,
  Procedure,
  ProcedureApproval,
  ProcedureDraft,
  ProcedureHint,
  ProcedureMend,
  ProcedureSource,
  ProcedureSubmission,
} from '../contract/procedure.ts';
import type { Profile, ProfileList } from '../contract/profile.ts';
import type { GuardianDashboard } from '../contract/risk.ts';
import type { Run } from '../contract/run.ts';
import type { ConsoleSession, Session, SessionRequest } from '../contract/session.ts';
import type { AuditResult, ConsoleSettings, DaemonFacts, ReachTrials } from '../contract/settings.ts';
import type { Task, TaskDryRun, UnknownResolution } from '../contract/task.ts';
import type { RequesterTodayList, TelemetryMetrics } from '../contract/telemetry.ts';
import { blobOf, bodyOf, call, type Failure, type Fetch, type Reply, reached, textOf } from './call.ts';
import { OVERVIEW_CALL } from './overview-call.ts';

export type ConsoleClient = ReturnType<typeof createConsoleClient>;

/** Exchanges a one-use code for a session. */
export function openSession(fetch: Fetch, body: SessionRequest): Promise<Reply<Session>> {
  return call(fetch, 'POST /api/console/session', { body, headers: {} });
}

/** Ends the session of this key. */
export function closeSession(fetch: Fetch, key: string): Promise<Reply<undefined>> {
  return call(fetch, 'DELETE /api/console/session', { headers: { authorization: `Bearer ${key}` } });
}

/** The person's calls about procedures of any requester. */
function procedureCalls(send: Send) {
  const user = (userId: string) => `/api/console/users/${encodeURIComponent(userId)}`;
  const intents = (userId: string) => `POST ${user(userId)}/intents`;
  return {
    procedures: () => send<{ items: PersonsProcedure[]; leftOut: number }>('GET /api/console/procedures'),
    draftProcedure: (source: ProcedureSource) => send<ProcedureDraft>('POST /api/console/procedures/draft', source),
    /** Keeps it, or its next version, for a requester. It allows nothing until it is approved. */
    keepProcedure: (userId: string, procedure: ProcedureSubmission) =>
      send<Procedure>(`PUT ${user(userId)}/procedures`, procedure),
    removeProcedure: (userId: string, name: string) =>
      send<undefined>(`DELETE ${user(userId)}/procedures/${encodeURIComponent(name)}`),
    approveProcedure: (name: string, approval: ProcedureApproval) =>
      send<PersonsProcedure>(`POST /api/console/procedures/${encodeURIComponent(name)}/approve`, approval),
    /** How often the steps of the run of an action were allowed this week. */
    procedureHint: (actionId: string) => send<ProcedureHint>(`GET /api/console/procedures/hint/${actionId}`),
    /** Where a run of a procedure stopped; `looks`: and what is there now. */
    mendProcedure: (taskId: string, looks: boolean) =>
      send<ProcedureMend>(`GET /api/console/tasks/${taskId}/mend${looks ? '?look=true' : ''}`),
    runProcedure: (userId: string, intent: IntentSubmission) => send<Task>(intents(userId), intent),
    /** Finds every name now, and does nothing. */
    tryProcedure: (userId: string, intent: IntentSubmission) =>
      send<TaskDryRun>(intents(userId), { ...intent, dryRun: true }),
  };
}

/** The calls of the pages Activity, Devices and Settings. */
function recordCalls(send: Send) {
  return {
    settings: () => send<ConsoleSettings>('GET /api/console/settings'),
    putSettings: (settings: ConsoleSettings) => send<ConsoleSettings>('PUT /api/console/settings', settings),
    about: () => send<DaemonFacts>('GET /api/console/about'),
    verifyAudit: () => send<AuditResult>('GET /api/console/audit/verify'),
    devices: () => send<{ items: Device[] }>('GET /api/console/devices'),
    removeDevice: (id: string) => send<undefined>(`DELETE /api/console/devices/${encodeURIComponent(id)}`),
    machines: () => send<MachineList>('GET /api/console/machines'),
    addMachine: (machine: Machine) => send<MachineList>('POST /api/console/machines', machine),
    testMachine: (name: string) => send<MachineView>(`POST /api/console/machines/${encodeURIComponent(name)}/test`),
    removeMachine: (name: string) => send<MachineList>(`DELETE /api/console/machines/${encodeURIComponent(name)}`),
    /** `query`: limit, cursor and filters of `GET /api/console/activity`. */
    activity: (query: string) =>
      send<{ items: ListedAction[]; nextCursor: string | null }>(`GET /api/console/activity?${query}`),
    /** `query`: limit, cursor and filters of `GET /api/console/runs`. */
    runs: (query: string) => send<{ items: Run[]; nextCursor: string | null }>(`GET /api/console/runs?${query}`),
    run: (id: string) => send<Run>(`GET /api/console/runs/${encodeURIComponent(id)}`),
    activityDetail: (id: string) => send<ActivityDetail>(`GET /api/console/activity/${encodeURIComponent(id)}`),
    /** Puts back the file that an action overwrote or moved to the trash. */
    undoAction: (id: string) => send<Action>(`POST /api/console/actions/${encodeURIComponent(id)}/undo`),
    /** `query`: limit, cursor and filters of `GET /api/console/tasks`. */
    tasks: (query: string) => send<{ items: Task[]; nextCursor: string | null }>(`GET /api/console/tasks?${query}`),
    task: (id: string) => send<Task>(`GET /api/console/tasks/${encodeURIComponent(id)}`),
    actionTypes: () => send<{ items: ActionType[] }>('GET /api/tee/action-types'),
  };
}

/** The console interface of the daemon, as the person with this key. `onSessionLost` is told when the key is refused. */
export function createConsoleClient(options: { fetch: Fetch; key: string; onSessionLost: (failure: Failure) => void }) {
  const headers = { authorization: `Bearer ${options.key}` };
  const told = <Value>(answer: Reply<Value>): Reply<Value> => {
    if (!answer.ok && answer.failure.code === 'console_session_required') options.onSessionLost(answer.failure);
    return answer;
  };
  const send = async <Value>(line: string, body?: object): Promise<Reply<Value>> =>
    told(await call<Value>(options.fetch, line, { headers, body }));
  const confirmation = (id: string) => `/api/console/confirmations/${encodeURIComponent(id)}`;
  return {
    ...contentCalls(async (path, read) => told(await reached(options.fetch(path, { headers }).then(read)))),
    ...recordCalls(send),
    ...procedureCalls(send),
    ...profileCalls(send),
    ...folderCalls(send),
    ...requesterCalls(send),
    /** The first prompt whole, and a row for each of the others. */
    confirmations: () => send<{ items: (Confirmation | QueuedConfirmation)[] }>('GET /api/console/confirmations'),
    confirmation: (id: string) => send<Confirmation>(`GET ${confirmation(id)}`),
    /** All of the prompt was on screen; `onScreenMs`: for how long by now, with the person at the page. */
    shown: (id: string, seen: PromptSeen) => send<Confirmation>(`POST ${confirmation(id)}/shown`, seen),
    /** Two more minutes to answer. */
    extend: (id: string) => send<Confirmation>(`POST ${confirmation(id)}/extend`),
    hold: (id: string, phase: 'press' | 'release') => send<Confirmation>(`POST ${confirmation(id)}/hold`, { phase }),
    decide: (id: string, decision: Decision) => send<Action | Task>(`POST ${confirmation(id)}/decision`, decision),
    /** Takes back a denial that was made with `undoable`. */
    undoDenial: (id: string) => send<Confirmation>(`POST ${confirmation(id)}/undo`),
    status: () => send<ConsoleStatus>('GET /api/console/status'),
    pause: () => send<ConsoleStatus>('POST /api/console/pause'),
    resume: () => send<ConsoleStatus>('POST /api/console/resume'),
    tryToReach: () => send<ReachTrials>('POST /api/console/reach/trial'),
    switchAccessibilityOn: () => send<ConsoleStatus>('POST /api/console/accessibility'),
    restartAgent: () => send<ConsoleStatus>('POST /api/console/agent/restart'),
    sessions: () => send<{ items: ConsoleSession[] }>('GET /api/console/sessions'),
    endSession: (id: string) => send<undefined>(`DELETE /api/console/sessions/${encodeURIComponent(id)}`),
    answerStolenSession: (answer: StolenSessionAnswer['answer']) =>
      send<ConsoleStatus>('POST /api/console/sessions/stolen', { answer }),
    endOtherSessions: () => send<{ ended: number }>('POST /api/console/sessions/end-others'),
    grants: () => send<{ items: Grant[] }>('GET /api/console/grants'),
    revoke: (id: string) => send<undefined>(`DELETE /api/console/grants/${encodeURIComponent(id)}`),
    /** Tasks that wait for the person's word on a step. */
    stuckTasks: () => send<{ items: Task[] }>('GET /api/console/tasks?status=needs_attention&limit=100'),
    resolveStep: (taskId: string, stepId: string, resolution: UnknownResolution) =>
      send<Task>(`POST /api/console/tasks/${encodeURIComponent(taskId)}/steps/${encodeURIComponent(stepId)}/resolve`, {
        resolution,
      }),
    cancelAction: (id: string) => send<Action>(`POST /api/console/actions/${encodeURIComponent(id)}/cancel`),
    cancelTask: (id: string) => send<Task>(`POST /api/console/tasks/${encodeURIComponent(id)}/cancel`),
    /** Risk, warnings, insights, trends and the 23 metrics of the last day. */
    guardian: () => send<GuardianDashboard>(`GET ${OVERVIEW_CALL}`),
    /** Metrics over time. `query`: as the interface documents it. */
    series: (query: string) => send<ConsoleSeries>(`GET /api/console/guardian/series?${query}`),
    /** The last day in half hours. */
    /** `query`: window and points of `GET /api/console/guardian/outcomes`. */
    outcomes: (query: string) => send<OutcomeSeries>(`GET /api/console/guardian/outcomes?${query}`),
    /** Actions, tasks and prompts of the last day in numbers. */
    dayTelemetry: () => send<TelemetryMetrics>('GET /api/guardian/tee/metrics?window=24h'),
    /** The work of each requester today. */
    requestersOfToday: () => send<RequesterTodayList>('GET /api/console/guardian/requesters'),
    /** One metric over a window such as `24h`. */
    metric: (type: MetricType, window: string) =>
      send<MetricList>(`GET /api/guardian/metrics?type=${type}&window=${window}`),
    /** Each metric over the last day, compared with the days before. */
    dayTrends: () => send<TrendList>('GET /api/guardian/trends?window=24h&all=true'),
    /** A cause that is marked as known adds nothing to the risk until then. */
    markKnownCause: (cause: string, until: string) =>
      send<unknown>(`PUT /api/console/guardian/known-causes/${encodeURIComponent(cause)}`, { until }),
    forgetKnownCause: (cause: string) =>
      send<unknown>(`DELETE /api/console/guardian/known-causes/${encodeURIComponent(cause)}`),
    acknowledgeInsight: (id: string) =>
      send<Insight>(`POST /api/console/insights/${encodeURIComponent(id)}/acknowledge`),
    /** The event stream from after `lastEventId` on; its body goes on until the signal aborts. */
    async events(lastEventId: string | undefined, signal: AbortSignal): Promise<Reply<ReadableStream<Uint8Array>>> {
      const position: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const accept = 'text/event-stream';
      const init = { headers: { ...headers, ...position, accept }, signal };
      return told(await reached(options.fetch('/api/console/events', init).then(bodyOf)));
    },
  };
}

/** Gets a path with the key of the session. */
type Get = <Value>(path: string, read: (response: Response) => Promise<Reply<Value>>) => Promise<Reply<Value>>;

/** The calls for pictures and texts, of any requester. */
function contentCalls(get: Get) {
  const artifact = (id: string) => `/api/console/artifacts/${encodeURIComponent(id)}`;
  return {
    picture: (id: string) => get(artifact(id), blobOf),
    /** The output of a script, or another artifact that is text. */
    text: (id: string) => get(artifact(id), textOf),
    /** A run as one HTML file. */
    runFile: (id: string) => get(`/api/console/runs/${encodeURIComponent(id)}/file`, blobOf),
    /** The window or region that a prompt, or a step of its plan, is about, as it is now. */
    targetPicture(id: string, { step, whole = false }: { step?: string | undefined; whole?: boolean } = {}) {
      const wanted = [
        ...(step === undefined ? [] : [`step=${encodeURIComponent(step)}`]),
        ...(whole ? ['whole=true'] : []),
      ];
      const query = wanted.length === 0 ? '' : `?${wanted.join('&')}`;
      return get(`/api/console/confirmations/${encodeURIComponent(id)}/picture${query}`, blobOf);
    },
  };
}

type Send = <Value>(line: string, body?: object) => Promise<Reply<Value>>;

/** Calls about the folders that requesters may use. Each answers with all folders. */
function folderCalls(send: Send) {
  return {
    folders: () => send<AllowedFolderList>('GET /api/console/folders'),
    /** Allows a folder, or changes the access to one that is allowed. */
    allowFolder: (folder: FolderAllowance) => send<AllowedFolderList>('PUT /api/console/folders', folder),
    removeFolder: ({ userId, path }: Pick<FolderAllowance, 'userId' | 'path'>) =>
      send<AllowedFolderList>('POST /api/console/folders/remove', { userId, path }),
  };
}

/** Calls about profiles and the requesters that they apply to. Each answers with all profiles. */
function profileCalls(send: Send) {
  return {
    profiles: () => send<ProfileList>('GET /api/console/profiles'),
    /** Makes a profile, or changes the one with that name. */
    putProfile: (profile: Profile) => send<ProfileList>('PUT /api/console/profiles', profile),
    /** Removes a profile that applies to nobody. */
    removeProfile: (name: string) => send<ProfileList>(`DELETE /api/console/profiles/${encodeURIComponent(name)}`),
    /** What a profile would have done within the last week, had it applied to everybody. */
    watchProfile: (name: string) => send<PolicyDiff>(`GET /api/console/profiles/${encodeURIComponent(name)}/watch`),
    /** Lets a profile apply to a user, or to `*`: everybody without one of their own. */
    assignProfile: (userId: string, profile: string) =>
      send<ProfileList>(`PUT /api/console/users/${encodeURIComponent(userId)}/profile`, { profile }),
  };
}

/** The person's calls about requesters. */
function requesterCalls(send: Send) {
  const user = (userId: string) => `/api/console/users/${encodeURIComponent(userId)}`;
  return {
    /** The key is answered this once. */
    createUserKey: (userId: string) => send<{ key: string }>(`POST ${user(userId)}/key`),
    removeUserKey: (userId: string) => send<Requester>(`DELETE ${user(userId)}/key`),
    pauseUser: (userId: string) => send<Requester>(`POST ${user(userId)}/pause`),
    resumeUser: (userId: string) => send<Requester>(`POST ${user(userId)}/resume`),
    denyAll: (userId: string) => send<{ denied: number }>(`POST ${user(userId)}/deny-all`),
    denyStrangers: () => send<{ denied: number }>('POST /api/console/confirmations/deny-strangers'),
  };
}
