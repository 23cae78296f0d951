import type { OwnAccess } from '../contract/access.ts';
import type { Action, ActionSubmission, ActionType, DryRun } from '../contract/action.ts';
import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import type {
  Intent,
  IntentSubmission,
  Procedure,
  ProcedureDraft,
  ProcedureSource,
  ProcedureSubmission,
} from '../contract/procedure.ts';
import type { GuardianDashboard } from '../contract/risk.ts';
import type { Task, TaskDryRun, TaskSubmission } from '../contract/task.ts';
import { blobOf, bodyOf, call, type Failure, type Fetch, type Reply, reached } from './call.ts';
import { followEvents } from './event-stream.ts';
import { OVERVIEW_CALL } from './overview-call.ts';
import { backoffMs, pause } from './pause.ts';

/** A call is sent at most so many times. */
const MOST_TRIES = 5;
/** A daemon that says to wait longer than this is not asked again. */
const LONGEST_PAUSE_MS = 30_000;

const PASSING: readonly Failure['code'][] = [
  'unreachable',
  'rate_limited',
  'idempotency_in_progress',
  'storage_unavailable',
  'request_timeout',
];

/**
 * `waitS`: how many seconds the daemon may hold the answer until the action or task has ended, 0 to 120. Without it an action is held as
 * its type asks for, and a task not at all. `idempotencyKey`: a key of the caller's own, for a call that outlives this process.
 */
export type Manner = { waitS?: number; signal?: AbortSignal; idempotencyKey?: string };
type ListOf<Item> = { items: Item[]; nextCursor: string | null; notices?: string[] };

export type RequesterClient = ReturnType<typeof createRequesterClient>;

/**
 * The interface of the daemon for a requester. Calls that are harmless to repeat are sent again where the connection breaks or the daemon
 * is busy; an action or a task has an idempotency key, so that none is done twice.
 */
export function createRequesterClient(options: { fetch: Fetch; userId: string; key?: string }) {
  const { fetch, userId, key } = options;
  const headers = { 'x-user-id': userId, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const never = new AbortController().signal;

  const get = <Value>(path: string, { waitS, signal }: Manner = {}) =>
    withRetries(
      () => call<Value>(fetch, `GET ${path}`, { headers: { ...headers, ...preferring(waitS) }, signal }),
      signal ?? never,
    );
  const submit = <Value>(path: string, body: object, { waitS, signal, idempotencyKey }: Manner = {}) => {
    const own = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID(), ...preferring(waitS) };
    const send = () => call<Value>(fetch, `POST ${path}`, { headers: { ...headers, ...own }, body, signal });
    return withRetries(send, signal ?? never);
  };
  const events = (lastEventId: string | undefined, signal: AbortSignal) => {
    const position: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const init = { headers: { ...headers, ...position, accept: 'text/event-stream' }, signal };
    return reached(fetch('/api/tee/events', init).then(bodyOf));
  };
  return {
    health: () => get<Health>('/health'),
    /** The very same registration by the same user again answers the same device. */
    registerDevice: (registration: DeviceRegistration) =>
      withRetries(() => call<Device>(fetch, 'POST /api/tee/devices/register', { headers, body: registration }), never),
    devices: () => get<ListOf<Device>>('/api/tee/devices'),
    /** Risk, warnings, insights, trends and metrics of the last day; other requesters have pseudonyms. */
    guardian: () => get<GuardianDashboard>(OVERVIEW_CALL),
    /** What the person lets this requester do now without a question. */
    access: () => get<OwnAccess>('/api/tee/access'),
    actionTypes: () => get<{ items: ActionType[] }>('/api/tee/action-types'),
    act: (submission: ActionSubmission, manner?: Manner) => submit<Action>('/api/tee/actions', submission, manner),
    /** Explains what would happen, and does nothing. */
    dryRun: (submission: ActionSubmission) => submit<DryRun>('/api/tee/actions', { ...submission, dryRun: true }),
    /** With `waitS`, once it has ended or the time is over. */
    action: (id: string, manner?: Manner) => get<Action>(`/api/tee/actions/${encodeURIComponent(id)}`, manner),
    /** `query`: limit, cursor and filters, as the interface documents them. */
    actions: (query = '') => get<ListOf<Action>>(`/api/tee/actions?${query}`),
    cancelAction: (id: string) =>
      call<Action>(fetch, `POST /api/tee/actions/${encodeURIComponent(id)}/cancel`, { headers }),
    submitTask: (task: TaskSubmission, manner?: Manner) => submit<Task>('/api/tee/tasks', task, manner),
    dryRunTask: (task: TaskSubmission) => submit<TaskDryRun>('/api/tee/tasks', { ...task, dryRun: true }),
    task: (id: string, manner?: Manner) => get<Task>(`/api/tee/tasks/${encodeURIComponent(id)}`, manner),
    tasks: (query = '') => get<ListOf<Task>>(`/api/tee/tasks?${query}`),
    cancelTask: (id: string) => call<Task>(fetch, `POST /api/tee/tasks/${encodeURIComponent(id)}/cancel`, { headers }),
    procedures: () => get<ListOf<Procedure>>('/api/tee/procedures'),
    procedure: (name: string) => get<Procedure>(`/api/tee/procedures/${encodeURIComponent(name)}`),
    putProcedure: (body: ProcedureSubmission) =>
      withRetries(() => call<Procedure>(fetch, 'PUT /api/tee/procedures', { headers, body }), never),
    draftProcedure: (body: ProcedureSource) =>
      withRetries(() => call<ProcedureDraft>(fetch, 'POST /api/tee/procedures/draft', { headers, body }), never),
    /** The procedures that run without a question now. */
    intents: () => get<ListOf<Intent>>('/api/tee/intents'),
    runProcedure: (intent: IntentSubmission) => submit<Task>('/api/tee/intents', intent, { waitS: 0 }),
    /** Finds every name now, and does nothing. */
    tryProcedure: (intent: IntentSubmission) => submit<TaskDryRun>('/api/tee/intents', { ...intent, dryRun: true }),
    /** The bytes of a picture; `url`: as it stands in the record of the action. */
    artifact: (url: string): Promise<Reply<Blob>> => reached(fetch(url, { headers }).then(blobOf)),
    /** One connection of the event stream, from after `lastEventId` on. `followEvents` opens it again where it breaks. */
    events,
    followEvents: (follow: { signal: AbortSignal; after?: string }) => followEvents(events, follow),
  };
}

function preferring(waitS: number | undefined): Record<string, string> {
  return waitS === undefined ? {} : { prefer: `wait=${waitS}` };
}

/**
 * Sends a call again while its failure may pass. Only for calls that are harmless to repeat: reads, and writes with an idempotency key.
 * Answers the last failure when all tries have failed or the signal aborts.
 */
async function withRetries<Value>(send: () => Promise<Reply<Value>>, signal: AbortSignal): Promise<Reply<Value>> {
  for (let tries = 1; ; tries += 1) {
    const reply = await send();
    const pauseMs = reply.ok || tries === MOST_TRIES ? undefined : pauseAfter(reply.failure, tries);
    if (pauseMs === undefined || signal.aborted) return reply;
    await pause(pauseMs, signal);
    if (signal.aborted) return reply;
  }
}

/** How long to wait before the next try; `undefined` where another one is of no use. */
function pauseAfter({ code, retryAfterSeconds }: Failure, tries: number): number | undefined {
  if (!PASSING.includes(code)) return undefined;
  const pauseMs = Math.max(backoffMs(tries), 1_000 * (retryAfterSeconds ?? 0));
  return pauseMs <= LONGEST_PAUSE_MS ? pauseMs : undefined;
}
