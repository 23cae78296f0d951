import type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { StreamEvent } from '../contract/event.ts';
import type { CallingProgram } from '../contract/program.ts';
import type { Task, TaskDryRun, TaskSubmission } from '../contract/task.ts';
import type { ProcedureOfTask } from '../domain/procedures/cover.ts';
import type { Refusal } from './refusal.ts';
import type { Page, PageRequest } from './work/pages.ts';

/** How long a caller waits for an end, and a signal that aborts when the caller has gone. */
export type Wait = { waitMs: number; gone: AbortSignal };

export type DeviceService = {
  /** Why nothing can be registered so, if so: there is no such machine, or it has another platform. */
  refusalFor(registration: DeviceRegistration): Refusal | undefined;
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

/** Looks up the program that calls. Where nobody is asked, that is done once for a connection and a requester, and there is nothing later. */
export type FindCaller = (isAsked: boolean) => Promise<CallingProgram | undefined>;

export type Submission = {
  userId: string;
  body: ActionSubmission;
  idempotencyKey?: string;
  /** The step of a task that it is an attempt of. */
  step?: StepOrigin;
  /** A step of a task that is still being accepted, which has no attempt yet. */
  isStep?: boolean;
  /** How long to hold the answer; absent: as the action itself asks for. */
  waitMs?: number;
  /** Aborts when the caller has gone: the answer is no longer held, the action goes on. */
  gone: AbortSignal;
  /** Why the caller itself wants the person to look at it. It makes the risk one level higher, and no profile or grant lets the action through unasked. */
  caution?: string;
  /** Absent where nobody calls, as for a step of a task. */
  program?: FindCaller;
};

export type TaskCall = {
  userId: string;
  body: TaskSubmission;
  idempotencyKey?: string;
  /** How long to hold the answer; absent: not at all. */
  waitMs?: number;
  gone: AbortSignal;
  program?: FindCaller;
  /** The procedure that it runs, and its approval. */
  procedure?: ProcedureOfTask;
};

export type TaskAnswer = { kind: 'task'; task: Task; replayed: boolean } | { kind: 'dryRun'; dryRun: TaskDryRun };

export type TaskFilter = { status?: string[]; sinceMs?: number };

/** `ends`: how tasks stand for the person. */
export type PersonTaskFilter = Pick<TaskFilter, 'sinceMs'> & { userId?: string; ends?: string[] };

export type TaskService = {
  submit(call: TaskCall): Promise<TaskAnswer | Refusal>;
  list(userId: string, filter: TaskFilter, page: PageRequest): Promise<Page<Task> | Refusal>;
  get(userId: string, taskId: string): Task | Refusal;
  /** The task under a key, unless it was cancelled or ended more than ten minutes ago: then the key is forgotten. */
  former(userId: string, key: string): Task | undefined;
  forgetKey(userId: string, key: string): void;
  /** As `get`, once nothing more happens by itself, the wait is over or the caller has gone, whichever is first. */
  ended(userId: string, taskId: string, wait: Wait): Promise<Task | Refusal>;
  /** Stores the cancellation, calls off the steps that have not begun, and tells the agent. Answers the record after that. */
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
  /** The action under a key, unless it was cancelled or ended more than ten minutes ago: then the key is forgotten. */
  former(userId: string, key: string): Action | undefined;
  forgetKey(userId: string, key: string): void;
  /** As `get`, once the action has ended, the wait is over or the caller has gone, whichever is first. */
  ended(userId: string, actionId: string, wait: Wait): Promise<Action | Refusal>;
  /** Persists the wish and tells the agent; answers the record as it then is. */
  cancel(userId: string, actionId: string): Action | Refusal;
  /** Whether the person allowed this very action. A rule, a grant or a plan that let it through is no such approval. */
  wasApproved(userId: string, actionId: string): boolean;
  types(): ActionType[];
};

/** The journal as a stream; a reader keeps its own place. */
export type EventService = {
  latestId(): number;
  isReplayable(id: number): boolean;
  read(afterId: number, options: { userId?: string; limit: number }): { events: StreamEvent[]; reachedId: number };
  more(afterId: number, signal: AbortSignal): Promise<void>;
};
