import type { Readable } from 'node:stream';
import type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
import type { ConsoleSeries, OutcomeSeries } from '../contract/console-series.ts';
import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { StreamEvent } from '../contract/event.ts';
import type { Insight, MetricList, MetricSeries, MetricType, Trend } from '../contract/guardian.ts';
import type { CallingProgram } from '../contract/program.ts';
import type { RequesterToday } from '../contract/requesters.ts';
import type { GuardianDashboard, KnownCause, RiskCause } from '../contract/risk.ts';
import type { Task, TaskDryRun, TaskSubmission } from '../contract/task.ts';
import type { ActionLogEntry, Grouping, TaskLogEntry, TelemetryMetrics } from '../contract/telemetry.ts';
import type { Viewer } from './guardian/viewer.ts';
import type { WindowRequest } from './guardian/windows.ts';
import type { Refusal } from './refusal.ts';
import type { Turn } from './work/sliced-work.ts';

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
  /** How long to hold the answer; absent: as the action itself asks for. */
  waitMs?: number;
  /** Aborts when the caller has gone: the answer is no longer held, the action goes on. */
  gone: AbortSignal;
  /** Why the caller itself wants the person to look at it. It makes the risk one level higher, and no profile or grant lets the action through unasked. */
  caution?: string;
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
  list(userId: string, filter: ActionFilter, page: PageRequest): Promise<Page<Action> | Refusal>;
  get(userId: string, actionId: string): Action | Refusal;
  /** As `get`, once the action has ended, the wait is over or the caller has gone, whichever is first. */
  ended(userId: string, actionId: string, wait: Wait): Promise<Action | Refusal>;
  /** Persists the wish and tells the agent; answers the record as it then is. */
  cancel(userId: string, actionId: string): Action | Refusal;
  /** Whether the person allowed this very action. A rule, a grant or a plan that let it through is no such approval. */
  wasApproved(userId: string, actionId: string): boolean;
  types(): ActionType[];
};

/** `bytes` must be read to its end or destroyed: it holds a file open. */
export type ArtifactContent = { mediaType: string; sizeBytes: number; sha256: string; bytes: Readable };

export type ArtifactService = {
  open(userId: string, artifactId: string): Promise<ArtifactContent | Refusal>;
  remove(userId: string, artifactId: string): Promise<undefined | Refusal>;
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
  /** One line for each requester of today, with its days before. */
  requesters(viewer: Viewer): RequesterToday[];
  /** Causes of risk that the person has marked as known. */
  knownCauses(): KnownCause[];
  markKnown(cause: RiskCause, mark: { untilMs: number }): KnownCause | Refusal;
  unmarkKnown(cause: RiskCause): undefined | Refusal;
  dashboard(viewer: Viewer, request: WindowRequest): GuardianDashboard;
};
