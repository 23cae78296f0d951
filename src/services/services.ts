import type { Readable } from 'node:stream';
import type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
import type {
  AuditResult,
  Confirmation,
  ConfirmationQueue,
  ConsoleSession,
  ConsoleSettings,
  ConsoleStatus,
  Decision,
  Grant,
  Profile,
  ProfileList,
  Requester,
  Session,
  SessionEnd,
} from '../contract/console.ts';
import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { StreamEvent } from '../contract/event.ts';
import type { GuardianDashboard, Insight, MetricList, MetricSeries, MetricType, Trend } from '../contract/guardian.ts';
import type { Health } from '../contract/health.ts';
import type { Task, TaskDryRun, TaskSubmission, UnknownResolution } from '../contract/task.ts';
import type { ActionLogEntry, Grouping, TaskLogEntry, TelemetryMetrics } from '../contract/telemetry.ts';
import type { SessionOrigin } from './console-sessions.ts';
import type { Viewer } from './guardian/viewer.ts';
import type { WindowRequest } from './guardian/windows.ts';
import type { Refusal } from './refusal.ts';
import type { WindowAnswer } from './window-resolution.ts';

/** What `http` may call. Every verb takes whose call it is; things of other users are not found. */
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
  /** Counts a request refused at the perimeter into the journal, at most one row per code and second. */
  noteRefusal(refusal: Pick<Refusal, 'refused' | 'countedAs'>): void;
};

/** How long a caller waits for an end, and a signal that aborts when the caller has gone. */
export type Wait = { waitMs: number; gone: AbortSignal };

export type PageRequest = { limit: number; cursor?: string };
export type Page<Item> = { items: Item[]; nextCursor: string | null };

export type DeviceService = {
  register(userId: string, registration: DeviceRegistration): { created: boolean; device: Device };
  list(userId: string, page: PageRequest): Page<Device> | Refusal;
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
  /** What the agent said of the window that it names, once it was asked. */
  window?: WindowAnswer;
  /** How long to hold the answer; absent: as the action itself asks for. */
  waitMs?: number;
  /** Aborts when the caller has gone: the answer is no longer held, the action goes on. */
  gone: AbortSignal;
};

export type TaskCall = {
  userId: string;
  body: TaskSubmission;
  idempotencyKey?: string;
  /** How long to hold the answer; absent: not at all. */
  waitMs?: number;
  gone: AbortSignal;
};

export type TaskAnswer = { kind: 'task'; task: Task; replayed: boolean } | { kind: 'dryRun'; dryRun: TaskDryRun };

export type TaskFilter = { status?: string[]; sinceMs?: number };

export type TaskService = {
  submit(call: TaskCall): Promise<TaskAnswer | Refusal>;
  list(userId: string, filter: TaskFilter, page: PageRequest): Page<Task> | Refusal;
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
  list(userId: string, filter: ActionFilter, page: PageRequest): Page<Action> | Refusal;
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
  confirmationShown(confirmationId: string): Confirmation | Refusal;
  hold(confirmationId: string, phase: 'press' | 'release'): Confirmation | Refusal;
  /** Answers what the prompt was about, as it then is: an action, or a task whose plan it was. */
  decide(confirmationId: string, decision: Decision): Action | Task | Refusal;
  status(): ConsoleStatus;
  grants(): Grant[];
  revokeGrant(grantId: string): undefined | Refusal;
  profiles(): ProfileList;
  putProfile(profile: Profile): ProfileList | Refusal;
  removeProfile(name: string): ProfileList | Refusal;
  assignProfile(userId: string, name: string): ProfileList | Refusal;
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
  devices(): Device[];
  /** Everybody's latest actions, newest first. */
  activity(page: PageRequest): Page<Action> | Refusal;
  /** Everybody's tasks, newest first. */
  tasks(filter: Pick<TaskFilter, 'status'>, page: PageRequest): Page<Task> | Refusal;
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

/** Reads only, but for what the person says of insights. Names of users are pseudonyms to everybody but the person and the users themselves. */
export type GuardianService = {
  metrics(request: WindowRequest, type?: string[]): MetricList;
  series(type: MetricType, request: WindowRequest, points: number): MetricSeries;
  /** With `by` also how many actions have the same of what it names. */
  telemetry(viewer: Viewer, request: WindowRequest, by?: readonly Grouping[]): TelemetryMetrics;
  actionLog(viewer: Viewer, page: PageRequest & { sinceMs?: number }): Page<ActionLogEntry> | Refusal;
  taskLog(viewer: Viewer, page: PageRequest & { sinceMs?: number }): Page<TaskLogEntry> | Refusal;
  /** How often everything has happened since the beginning, or in the last five years. */
  totals(): { events: Record<string, number>; requestsByType: Record<string, number> };
  /** One for each metric and window, active or not. */
  trends(windows?: string[]): Trend[];
  insights(viewer: Viewer, filter: InsightFilter): Insight[];
  /** The person knows of an insight. */
  acknowledge(insightId: string): Insight | Refusal;
  dashboard(viewer: Viewer, request: WindowRequest): GuardianDashboard;
};
