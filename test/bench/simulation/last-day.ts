import type { ActionStatus, RiskLevel } from '../../../src/contract/action.ts';
import {
  DAY_MS,
  type FirstHighRisk,
  LOOKED_AT,
  type Prompt,
  type Request,
} from '../../../src/guardian/insights/facts.ts';
import type { Happening } from './session.ts';

type Seen = { requests: Request[]; prompts: Prompt[]; firstHighRisk: FirstHighRisk[] };

/**
 * What the rules of insights look at beside what is counted: the requests and prompts of the last day, as the tables of actions and
 * confirmations would have them, from the happenings that go into the journal.
 */
export function createLastDay() {
  const requests = new Map<string, Request>();
  const prompts = new Map<string, Prompt>();
  const firstSeenMs = new Map<string, number>();

  function note(happening: Happening): void {
    const { actionId, atMs, kind } = happening;
    if (actionId === undefined) return;
    if (kind === 'action.requested') begin(happening, actionId);
    const request = requests.get(actionId);
    const prompt = prompts.get(actionId);
    if (request !== undefined) requests.set(actionId, requestAfter(request, happening));
    if (prompt === undefined) return;
    if (kind === 'confirmation.shown') prompts.set(actionId, { ...prompt, answerableAtMs: atMs + 1_000 });
    const status = ANSWERS.get(kind);
    if (status !== undefined) prompts.set(actionId, { ...prompt, status, decidedAtMs: atMs });
  }

  function begin({ atMs, userId = '', metadata = {} }: Happening, actionId: string): void {
    const risk = metadata.risk as RiskLevel;
    const isAsked = metadata.verdict === 'ask';
    const request: Request = {
      actionId,
      userId,
      actionType: String(metadata.type),
      digest: String(metadata.digest),
      risk,
      status: isAsked ? 'awaiting_confirmation' : 'queued',
      errorCode: null,
      createdAtMs: atMs,
      startedAtMs: null,
      durationMs: null,
      taskId: null,
      stepId: null,
      grantId: metadata.by === 'profile' ? null : String(metadata.by),
    };
    requests.set(actionId, request);
    if (isAsked) {
      const unanswered = { status: 'pending', answerableAtMs: null, decidedAtMs: null } as const;
      prompts.set(actionId, { actionId, userId, risk, createdAtMs: atMs, ...unanswered });
    }
    if (!firstSeenMs.has(kindOf(request))) firstSeenMs.set(kindOf(request), atMs);
  }

  return {
    note,
    /** The newest first, as many as the rules look at. */
    seenAt(nowMs: number): Seen {
      const fromMs = nowMs - DAY_MS;
      for (const [id, { createdAtMs }] of requests) {
        if (createdAtMs > fromMs) break;
        requests.delete(id);
        prompts.delete(id);
      }
      const newest = [...requests.values()].reverse();
      const isNew = (request: Request) => (firstSeenMs.get(kindOf(request)) ?? 0) > fromMs;
      return {
        requests: newest.slice(0, LOOKED_AT.requests),
        prompts: [...prompts.values()].reverse().slice(0, LOOKED_AT.prompts),
        firstHighRisk: newest
          .filter((each) => each.risk === 'high' && isNew(each))
          .slice(0, LOOKED_AT.firstHighRisk)
          .map((each) => ({ ...each, wasAllowed: prompts.get(each.actionId)?.status === 'allowed' })),
      };
    },
  };
}

const ANSWERS = new Map<string, Prompt['status']>([
  ['action.allowed', 'allowed'],
  ['action.denied', 'denied'],
  ['action.expired', 'expired'],
]);

function requestAfter(request: Request, { kind, atMs, metadata = {} }: Happening): Request {
  if (kind === 'action.requested' || metadata.status === undefined) return request;
  const changed = { ...request, status: metadata.status as ActionStatus };
  if (kind === 'action.dispatched') return { ...changed, startedAtMs: atMs };
  return request.startedAtMs === null ? changed : { ...changed, durationMs: atMs - request.startedAtMs };
}

function kindOf({ userId, actionType, risk }: Request): string {
  return `${userId} ${actionType} ${risk}`;
}
