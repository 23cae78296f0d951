import type { Action } from '../../../src/contract/action.ts';
import type {
  Confirmation,
  ConsoleSession,
  ConsoleStatus,
  Decision,
  Grant,
  ProfileList,
  QueuedConfirmation,
  Requester,
  Session,
} from '../../../src/contract/console.ts';
import type { Insight } from '../../../src/contract/guardian.ts';
import type { Task, UnknownResolution } from '../../../src/contract/task.ts';
import { type Answer, answerOf, type Failure, failureOf, UNREACHABLE } from './answer.ts';

type Fetch = typeof globalThis.fetch;

export type ConsoleClient = ReturnType<typeof createConsoleClient>;

/** Exchanges a one-use code for a session. */
export function openSession(fetch: Fetch, code: string): Promise<Answer<Session>> {
  return call(fetch, 'POST /api/console/session', { body: { code }, headers: {} });
}

/** Ends the session of this key. */
export function closeSession(fetch: Fetch, key: string): Promise<Answer<undefined>> {
  return call(fetch, 'DELETE /api/console/session', { headers: { authorization: `Bearer ${key}` } });
}

/** The console interface of the daemon, as the person with this key. `onSessionLost` is told when the key is refused. */
export function createConsoleClient(options: { fetch: Fetch; key: string; onSessionLost: (failure: Failure) => void }) {
  const headers = { authorization: `Bearer ${options.key}` };
  const told = <Value>(answer: Answer<Value>): Answer<Value> => {
    if (!answer.ok && answer.failure.code === 'console_session_required') options.onSessionLost(answer.failure);
    return answer;
  };
  const send = async <Value>(line: string, body?: object): Promise<Answer<Value>> =>
    told(await call<Value>(options.fetch, line, { headers, body }));
  const confirmation = (id: string) => `/api/console/confirmations/${encodeURIComponent(id)}`;
  const user = (userId: string) => `/api/console/users/${encodeURIComponent(userId)}`;
  return {
    /** The first prompt whole, and a row for each of the others. */
    confirmations: () => send<{ items: (Confirmation | QueuedConfirmation)[] }>('GET /api/console/confirmations'),
    confirmation: (id: string) => send<Confirmation>(`GET ${confirmation(id)}`),
    shown: (id: string) => send<Confirmation>(`POST ${confirmation(id)}/shown`),
    hold: (id: string, phase: 'press' | 'release') => send<Confirmation>(`POST ${confirmation(id)}/hold`, { phase }),
    decide: (id: string, decision: Decision) => send<Action | Task>(`POST ${confirmation(id)}/decision`, decision),
    status: () => send<ConsoleStatus>('GET /api/console/status'),
    pause: () => send<ConsoleStatus>('POST /api/console/pause'),
    resume: () => send<ConsoleStatus>('POST /api/console/resume'),
    restartAgent: () => send<ConsoleStatus>('POST /api/console/agent/restart'),
    sessions: () => send<{ items: ConsoleSession[] }>('GET /api/console/sessions'),
    endSession: (id: string) => send<undefined>(`DELETE /api/console/sessions/${encodeURIComponent(id)}`),
    endOtherSessions: () => send<{ ended: number }>('POST /api/console/sessions/end-others'),
    grants: () => send<{ items: Grant[] }>('GET /api/console/grants'),
    revoke: (id: string) => send<undefined>(`DELETE /api/console/grants/${encodeURIComponent(id)}`),
    profiles: () => send<ProfileList>('GET /api/console/profiles'),
    /** Tasks that wait for the person's word on a step. */
    stuckTasks: () => send<{ items: Task[] }>('GET /api/console/tasks?status=needs_attention&limit=100'),
    resolveStep: (taskId: string, stepId: string, resolution: UnknownResolution) =>
      send<Task>(`POST /api/console/tasks/${encodeURIComponent(taskId)}/steps/${encodeURIComponent(stepId)}/resolve`, {
        resolution,
      }),
    /** Lets a profile apply to a user, or to `*`: everybody without one of their own. */
    assignProfile: (userId: string, profile: string) => send<ProfileList>(`PUT ${user(userId)}/profile`, { profile }),
    /** The key is answered this once. */
    createUserKey: (userId: string) => send<{ key: string }>(`POST ${user(userId)}/key`),
    removeUserKey: (userId: string) => send<Requester>(`DELETE ${user(userId)}/key`),
    pauseUser: (userId: string) => send<Requester>(`POST ${user(userId)}/pause`),
    resumeUser: (userId: string) => send<Requester>(`POST ${user(userId)}/resume`),
    denyAll: (userId: string) => send<{ denied: number }>(`POST ${user(userId)}/deny-all`),
    acknowledgeInsight: (id: string) =>
      send<Insight>(`POST /api/console/insights/${encodeURIComponent(id)}/acknowledge`),
    /** The event stream from after `lastEventId` on; its body goes on until the signal aborts. */
    async events(lastEventId: string | undefined, signal: AbortSignal): Promise<Answer<ReadableStream<Uint8Array>>> {
      const position = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const accept = 'text/event-stream';
      const init = { headers: { ...headers, ...position, accept }, signal };
      return told(await reached(options.fetch('/api/console/events', init).then(bodyOf)));
    },
  };
}

async function call<Value>(
  fetch: Fetch,
  line: string,
  { headers, body }: { headers: Record<string, string>; body?: object | undefined },
): Promise<Answer<Value>> {
  const [method = '', path = ''] = line.split(' ');
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return reached(fetch(path, { method, headers: { ...headers, ...type }, ...json }).then(answerOf<Value>));
}

async function bodyOf(response: Response): Promise<Answer<ReadableStream<Uint8Array>>> {
  if (response.ok && response.body !== null) return { ok: true, value: response.body };
  return { ok: false, failure: await failureOf(response) };
}

/** A connection that breaks within an answer leaves nothing, or a half of it; an AbortError means nobody wants it any more. */
async function reached<Value>(answer: Promise<Answer<Value>>): Promise<Answer<Value>> {
  try {
    return await answer;
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    if (isAborted || error instanceof TypeError || error instanceof SyntaxError)
      return { ok: false, failure: UNREACHABLE };
    throw error;
  }
}
