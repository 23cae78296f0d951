import type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
import type { Confirmation, Decision, Session } from '../contract/console.ts';
import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import type { ProblemCode } from '../contract/problem.ts';
import type { Refusal } from './refusal.ts';

/** What `http` may call. Every verb takes whose call it is; things of other users are not found. */
export type Services = {
  health(): Health;
  devices: DeviceService;
  actions: ActionService;
  artifacts: ArtifactService;
  console: ConsoleService;
  /** Counts a request refused at the perimeter into the journal, at most one row per code and second. */
  noteRefusal(code: ProblemCode): void;
};

export type PageRequest = { limit: number; cursor?: string };
export type Page<Item> = { items: Item[]; nextCursor: string | null };

export type DeviceService = {
  register(userId: string, registration: DeviceRegistration): { created: boolean; device: Device };
  list(userId: string, page: PageRequest): Page<Device> | Refusal;
  get(userId: string, deviceId: string): Device | Refusal;
  remove(userId: string, deviceId: string): undefined | Refusal;
};

export type Submission = {
  userId: string;
  body: ActionSubmission;
  idempotencyKey?: string;
  /** How long to hold the answer; absent: as the action itself asks for. */
  waitMs?: number;
  /** Aborts when the caller has gone: the answer is no longer held, the action goes on. */
  gone: AbortSignal;
};

export type SubmissionAnswer =
  | { kind: 'action'; action: Action; replayed: boolean }
  | { kind: 'dryRun'; dryRun: DryRun };

export type ActionFilter = { status?: string[]; deviceId?: string; sinceMs?: number };

export type ActionService = {
  submit(submission: Submission): Promise<SubmissionAnswer | Refusal>;
  list(userId: string, filter: ActionFilter, page: PageRequest): Page<Action> | Refusal;
  get(userId: string, actionId: string): Action | Refusal;
  /** Persists the wish and tells the agent; answers the record as it then is. */
  cancel(userId: string, actionId: string): Action | Refusal;
  types(): ActionType[];
};

export type ArtifactContent = { mediaType: string; sizeBytes: number; sha256: string; bytes: Uint8Array };

export type ArtifactService = {
  read(userId: string, artifactId: string): Promise<ArtifactContent | Refusal>;
  remove(userId: string, artifactId: string): Promise<undefined | Refusal>;
};

export type ConsoleService = {
  /** Exchanges a one-use code for a session key. */
  openSession(code: string): Session | Refusal;
  isSession(key: string): boolean;
  confirmations(): Confirmation[];
  confirmationShown(confirmationId: string): Confirmation | Refusal;
  hold(confirmationId: string, phase: 'press' | 'release'): Confirmation | Refusal;
  decide(confirmationId: string, decision: Decision): Action | Refusal;
};
