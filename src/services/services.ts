import type { Readable } from 'node:stream';
import type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
import type { ActivityDetail } from '../contract/activity.ts';
import type {
  Confirmation,
  ConfirmationQueue,
  ConsoleSettings,
  ConsoleStatus,
  Decision,
  Grant,
  PromptSeen,
  Requester,
} from '../contract/console.ts';
import type { AllowedFolderList, FolderAllowance } from '../contract/console-folders.ts';
import type { ConsoleSeries, OutcomeSeries } from '../contract/console-series.ts';
import type { AuditResult, DaemonFacts } from '../contract/daemon-facts.ts';
import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { StreamEvent } from '../contract/event.ts';
import type { Insight, MetricList, MetricSeries, MetricType, Trend } from '../contract/guardian.ts';
import type { Health } from '../contract/health.ts';
import type { Profile, ProfileList } from '../contract/profile.ts';
import type { CallingProgram } from '../contract/program.ts';
import type { GuardianDashboard, KnownCause, RiskCause } from '../contract/risk.ts';
import type { ConsoleSession, Session, SessionEnd } from '../contract/session.ts';
import type { Task, TaskDryRun, TaskSubmission, UnknownResolution } from '../contract/task.ts';
import type { ActionLogEntry, Grouping, TaskLogEntry, TelemetryMetrics } from '../contract/telemetry.ts';
import type { ActivityFilter } from '../store/records/activity.ts';
import type { WindowAnswer } from './agent/window-resolution.ts';
import type { TargetPicture } from './confirmations/target-pictures.ts';
import type { Viewer } from './guardian/viewer.ts';
import type { WindowRequest } from './guardian/windows.ts';
import type { Refusal } from './refusal.ts';
import type { SessionOrigin } from './sessions/sessions.ts';
import type { Turn } from './work/sliced-work.ts';

/** The interface for `http`. Every method takes the calling user; records of other users are not found. */
export type Services = {
  health(): Health;
  devices: DeviceService;
  actions: ActionService;
  tasks: TaskService;
  artifacts: ArtifactService;
  console: ConsoleService;
  events: EventService;
  guardian: GuardianService;
  /** Whether a call under this id may be believed: it needs no key, or showed the right one. */
  isGenuine(userId: string, key: string | undefined): boolean;
  /** Whether the person has dealt with this requester before, so that made-up ids cannot crowd it out. */
  isKnown(userId: string): boolean;
  /** Counts a refused request into the journal, at most two rows per kind and second. */
  noteRefusal(refusal: Pick<Refusal, 'refused' | 'countedAs' | 'from' | 'request'>): void;
};

/**
 * How long a caller waits for an end, and a signal that aborts when the caller has gone. `turn` says how the call shares the thread
 * while its answer is built after that.
 */
export type Wait = { waitMs: number; gone: AbortSignal; turn?: Turn };

/** `turn` says how the call shares the thread while its page is built. */
export type PageRequest = { limit: number; cursor?: string; turn?: Turn };
/** A value as JSON. The type keeps which value it is. */
export type JsonText<Value> = string & { readonly valueType?: Value };
/** The items are JSON already, so that a long list is turned into JSON once and in slices. */
export type Page<Item> = { items: JsonText<Item>[]; nextCursor: string | null };

export type DeviceService = {
  register(userId: string, registration: DeviceRegistration): { created: boolean; device: Device };
  list(userId: string, page: PageRequest): Promise<Page<Device> | Refusal>;
  get(userId: string, deviceId: string): Device | Refusal;
  remove(userId: string, deviceId: string): undefined | Refusal;
};

export type StepOrigin = {
  taskId: string;
  stepId: string;
  /** Why its parameters cannot be taken for the caller's own words, if they cannot. */
  taint: string | undefined;
};

export type Submission = {
  userId: string;
  body: ActionSubmission;
  idempotencyKey?: string;
  /** The step of a task that it is an attempt of. */
  step?: StepOrigin;
  /** The agent's answer about the window that the action names, if it was asked. */
  window?: WindowAnswer;
  /** How long to hold the answer; absent: as the action itself asks for. */
  waitMs?: number;
  /** Aborts when the caller has gone: the answer is no longer held, the action goes on. */
  gone: AbortSignal;
  /** Looks up the program that calls. Absent where nobody calls, as for a step of a task. */
  program?: () => Promise<CallingProgram>;
};

export type TaskCall = {
  userId: string;
  body: TaskSubmission;
  idempotencyKey?: string;
  /** How long to hold the answer; absent: not at all. */
  waitMs?: number;
  gone: AbortSignal;
  /** Looks up the program that calls. */
  program?: () => Promise<CallingProgram>;
  /** How the call shares the thread while its task is accepted and begun. */
  turn?: Turn;
};

export type TaskAnswer = { kind: 'task'; task: Task; replayed: boolean } | { kind: 'dryRun'; dryRun: TaskDryRun };

export type TaskFilter = { status?: string[]; sinceMs?: number };

export type TaskService = {
  submit(call: TaskCall): Promise<TaskAnswer | Refusal>;
  list(userId: string, filter: TaskFilter, page: PageRequest): Promise<Page<Task> | Refusal>;
  get(userId: string, taskId: string): Task | Refusal;
  /** As `get`, once nothing more happens by itself, the wait is over or the caller has gone, whichever is first. */
  ended(userId: string, taskId: string, wait: Wait): Promise<Task | Refusal>;
  /** Persists the wish, calls off what has not begun, and tells the agent; answers the record as it then is. */
  cancel(userId: string, taskId: string): Task | Refusal;
};

export type SubmissionAnswer =
  | { kind: 'action'; action: Action; replayed: boolean }
  | { kind: 'dryRun'; dryRun: DryRun };

export type ActionFilter = { status?: string[]; deviceId?: string; sinceMs?: number };

export type ActionService = {
  submit(submission: Submission): Promise<SubmissionAnswer | Refusal>;
  /** The same for submissions that came together: as many as may begin at once share one transaction. Each has its own answer. */
  submitTogether(submissions: readonly Submission[]): Promise<SubmissionAnswer | Refusal>[];
  list(userId: string, filter: ActionFilter, page: PageRequest): Promise<Page<Action> | Refusal>;
  get(userId: string, actionId: string): Action | Refusal;
  /** As `get`, once the action has ended, the wait is over or the caller has gone, whichever is first. */
  ended(userId: string, actionId: string, wait: Wait): Promise<Action | Refusal>;
  /** Persists the wish and tells the agent; answers the record as it then is. */
  cancel(userId: string, actionId: string): Action | Refusal;
  types(): ActionType[];
};

/** `bytes` must be read to its end or destroyed: it holds a file open. */
export type ArtifactContent = { mediaType: string; sizeBytes: number; sha256: string; bytes: Readable };

export type ArtifactService = {
  open(userId: string, artifactId: string): Promise<ArtifactContent | Refusal>;
  remove(userId: string, artifactId: string): Promise<undefined | Refusal>;
};

export type ConsoleService = {
  /** Exchanges a one-use code for a session key. */
  openSession(code: string, origin?: SessionOrigin): Session | Refusal;
  /** The person signs out: the key is good for nothing from here on. */
  closeSession(key: string): void;
  isSession(key: string): boolean;
  /** Whether a key was ever one of ours, so that a page that was left open is no attempt at guessing. */
  wasSession(key: string): boolean;
  /** Why the session of this key is over, if it was one of the latest. */
  whyEnded(key: string): SessionEnd | undefined;
  /** Aborts when the session of this key ends. */
  sessionSignal(key: string): AbortSignal;
  /** A fresh one-use code for the session of this key, valid for ten minutes; the one before it, if unused, ends. */
  createSignInCode(key: string): string | Refusal;
  /** The live sessions, the latest first; `key` is the one that asks. */
  sessions(key: string): ConsoleSession[];
  endSession(sessionId: string): undefined | Refusal;
  /** Ends every session but the one of this key. */
  endOtherSessions(key: string): { ended: number };
  confirmations(): ConfirmationQueue;
  /** One prompt that waits, whole. */
  confirmation(confirmationId: string): Confirmation | Refusal;
  /** The picture of the window or region that a prompt is about, taken now. */
  targetPicture(confirmationId: string): Promise<TargetPicture | Refusal>;
  /** The page says that a prompt is fully on screen, and how it was read until then. */
  confirmationShown(confirmationId: string, seen?: PromptSeen): Confirmation | Refusal;
  hold(confirmationId: string, phase: 'press' | 'release'): Confirmation | Refusal;
  /** Answers what the prompt was about, as it then is: an action, or a task whose plan it was. */
  decide(confirmationId: string, decision: Decision): Action | Task | Refusal;
  /** Takes a denial back that was made with `undoable` less than 10 s ago. */
  undoDenial(confirmationId: string): Confirmation | Refusal;
  status(): ConsoleStatus;
  grants(): Grant[];
  revokeGrant(grantId: string): undefined | Refusal;
  profiles(): ProfileList;
  putProfile(profile: Profile): ProfileList | Refusal;
  removeProfile(name: string): ProfileList | Refusal;
  assignProfile(userId: string, name: string): ProfileList | Refusal;
  /** The folders that requesters may use. */
  folders(): AllowedFolderList;
  /** Allows a folder with everything below it, or changes what may be done there. Links on the path are followed once, now. */
  allowFolder(folder: FolderAllowance): Promise<AllowedFolderList | Refusal>;
  removeFolder(folder: Pick<FolderAllowance, 'userId' | 'path'>): AllowedFolderList | Refusal;
  createUserKey(userId: string): { key: string };
  removeUserKey(userId: string): Requester | Refusal;
  resumeUser(userId: string): Requester | Refusal;
  pauseUser(userId: string): Requester | Refusal;
  denyAllOf(userId: string): { denied: number };
  /** Stops everything, at once and until `resume`. */
  pause(): ConsoleStatus;
  /** Lifts the stop. Where much is still to be recorded as ended, a promise of the status as it is after that. */
  resume(): ConsoleStatus | Promise<ConsoleStatus>;
  /** Starts the agent that is offline, as if it had never ended. Any other is refused: there is nothing to start. */
  restartAgent(): ConsoleStatus | Refusal;
  settings(): ConsoleSettings;
  putSettings(settings: ConsoleSettings): ConsoleSettings;
  /** The settings of the daemon, and how long it keeps data. */
  about(): DaemonFacts;
  devices(): Device[];
  /** Removes a device of any requester, as its requester could. */
  removeDevice(deviceId: string): undefined | Refusal;
  /** Everybody's actions that match, newest first. A page may be short and have a cursor where few match. */
  activity(filter: ActivityFilter, page: PageRequest): Promise<Page<Action> | Refusal>;
  /** Everything that is kept about one action of any requester. */
  activityDetail(actionId: string): ActivityDetail | Refusal;
  /** A picture of any requester. */
  artifact(artifactId: string): Promise<ArtifactContent | Refusal>;
  task(taskId: string): Task | Refusal;
  /** Everybody's tasks, newest first. */
  tasks(filter: Pick<TaskFilter, 'status'>, page: PageRequest): Promise<Page<Task> | Refusal>;
  /** Cancels an action of any requester, as its requester could. */
  cancelAction(actionId: string): Action | Refusal;
  /** Puts back the file that an action of any requester overwrote or moved to the trash. */
  undoAction(actionId: string): Promise<Action | Refusal>;
  /** Cancels a task of any requester, as its requester could. */
  cancelTask(taskId: string): Task | Refusal;
  /** The person says what became of a step nobody else knows about. */
  resolveStep(taskId: string, stepId: string, resolution: UnknownResolution): Task | Refusal;
  verifyAudit(): Promise<AuditResult>;
};

/** The journal as a stream; a reader keeps its own place. */
export type EventService = {
  latestId(): number;
  isReplayable(id: number): boolean;
  read(afterId: number, options: { userId?: string; limit: number }): { events: StreamEvent[]; reachedId: number };
  more(afterId: number, signal: AbortSignal): Promise<void>;
};

export type InsightFilter = {
  severity?: string[];
  category?: string[];
  actionable?: boolean;
  sinceMs?: number;
  limit: number;
};

/**
 * Read-only, except for the person's decisions on insights. User names are pseudonyms, except to the person and to the users
 * themselves.
 */
export type GuardianService = {
  metrics(request: WindowRequest, type?: string[]): MetricList;
  series(type: MetricType, request: WindowRequest, points: number): MetricSeries;
  /** Metrics over at most so many parts of a window, for the person; `breakdownOf`: with the counts that make up this metric. */
  consoleSeries(
    request: WindowRequest,
    wanted: { types: readonly MetricType[]; points: number; withUsual: boolean; breakdownOf: MetricType | undefined },
  ): ConsoleSeries;
  /** The outcomes of actions in at most so many parts of a window. */
  outcomes(request: WindowRequest, points: number): OutcomeSeries;
  /** With `by`, also the number of actions per group. */
  telemetry(viewer: Viewer, request: WindowRequest, by?: readonly Grouping[]): TelemetryMetrics;
  actionLog(viewer: Viewer, page: PageRequest & { sinceMs?: number }): Promise<Page<ActionLogEntry> | Refusal>;
  taskLog(viewer: Viewer, page: PageRequest & { sinceMs?: number }): Promise<Page<TaskLogEntry> | Refusal>;
  /** How often everything has happened since the beginning, or in the last five years. */
  totals(): { events: Record<string, number>; requestsByType: Record<string, number> };
  /** One for each metric and window, active or not. */
  trends(windows?: string[]): Trend[];
  insights(viewer: Viewer, filter: InsightFilter): Insight[];
  /** The person knows of an insight. */
  acknowledge(insightId: string): Insight | Refusal;
  /** Causes of risk that the person has marked as known. */
  knownCauses(): KnownCause[];
  markKnown(cause: RiskCause, mark: { untilMs: number }): KnownCause | Refusal;
  unmarkKnown(cause: RiskCause): undefined | Refusal;
  dashboard(viewer: Viewer, request: WindowRequest): GuardianDashboard;
};
