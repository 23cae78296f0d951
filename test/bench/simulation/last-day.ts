import type { ActionStatus, RiskLevel } from '../../../src/contract/action.ts';
import { type Answer, DAY_MS, FOUR_WEEKS_MS, type Prompt, type Request } from '../../../src/guardian/insights/facts.ts';
import type { Happening } from './session.ts';

/**
 * The requests and prompts of the last day, the answers to prompts, and which requests were ever allowed.
 */
export type LastDay = {
  requests: Map<string, Request>;
  /** The path of the program that asked for each. */
  programs: Map<string, string>;
  prompts: Map<string, Prompt>;
  /** The length of each prompt. */
  characters: Map<string, number>;
  answers: Answer[];
  allowed: Set<string>;
};

/**
 * Stands in for the tables of actions and confirmations, from which insights read requests and prompts. It learns of them from the
 * events of the journal. `before`: a copy of this goes on.
 */
export function createLastDay(before?: LastDay) {
  const known: LastDay = structuredClone(before) ?? {
    requests: new Map(),
    programs: new Map(),
    prompts: new Map(),
    characters: new Map(),
    answers: [],
    allowed: new Set(),
  };
  const { requests, programs, prompts, characters, answers, allowed } = known;

  function note(happening: Happening): void {
    const { actionId, atMs, kind } = happening;
    if (actionId === undefined) return;
    begin(happening, actionId);
    const request = requests.get(actionId);
    const prompt = prompts.get(actionId);
    if (request !== undefined) follow(request, happening);
    if (prompt === undefined) return;
    if (kind === 'confirmation.shown') {
      prompts.set(actionId, { ...prompt, answerableAtMs: atMs + 1_000 });
      characters.set(actionId, Number(happening.metadata?.characters));
    }
    const status = ANSWERS.get(kind);
    if (status === undefined) return;
    prompts.set(actionId, { ...prompt, status, decidedAtMs: atMs });
    if (status !== 'expired') answer({ ...prompt, status, decidedAtMs: atMs }, request?.digest ?? '');
  }

  /** Simulated people do not scroll, so nobody knows which prompts they opened to the end. */
  function answer({ actionId, userId, risk, status, answerableAtMs, decidedAtMs }: Prompt, digest: string): void {
    const key = `${userId} ${digest}`;
    const isAllowed = status === 'allowed';
    const atMs = decidedAtMs ?? 0;
    const tookMs = answerableAtMs === null ? null : Math.max(0, atMs - answerableAtMs);
    answers.push({
      actionId,
      userId,
      risk,
      isAllowed,
      decidedAtMs: atMs,
      tookMs,
      isRepeat: allowed.has(key),
      characters: characters.get(actionId ?? '') ?? null,
      wasOpenedToEnd: null,
    });
    if (isAllowed) allowed.add(key);
  }

  function follow(before: Request, happening: Happening): void {
    const request = requestAfter(before, happening);
    requests.set(request.actionId, request);
  }

  function begin({ atMs, kind, userId = '', metadata = {} }: Happening, actionId: string): void {
    if (kind === 'requester.program') programs.set(actionId, String(metadata.program));
    if (kind !== 'action.requested') return;
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
      grantId: metadata.by === 'profile' ? null : String(metadata.by),
      planId: null,
      app: metadata.app === undefined ? null : String(metadata.app),
    };
    requests.set(actionId, request);
    if (isAsked) {
      const unanswered = { status: 'pending', answerableAtMs: null, decidedAtMs: null } as const;
      prompts.set(actionId, { actionId, userId, risk, createdAtMs: atMs, ...unanswered });
    }
  }

  function forget(nowMs: number): void {
    const fromMs = nowMs - DAY_MS;
    for (const [id, { createdAtMs }] of requests) {
      if (createdAtMs > fromMs) break;
      requests.delete(id);
      programs.delete(id);
      prompts.delete(id);
      characters.delete(id);
    }
  }

  return {
    known,
    note,
    /** The newest first, as the others are. */
    requests(nowMs: number): Request[] {
      forget(nowMs);
      return [...requests.values()].reverse();
    },
    prompts(nowMs: number): Prompt[] {
      forget(nowMs);
      return [...prompts.values()].reverse();
    },
    answers(nowMs: number): Answer[] {
      const first = answers.findIndex(({ decidedAtMs }) => decidedAtMs > nowMs - FOUR_WEEKS_MS);
      answers.splice(0, first === -1 ? answers.length : first);
      return answers.toReversed();
    },
    /** The requests of one program, each by itself. */
    called({ userId, nameKey, fromMs, toMs }: { userId: string; nameKey: string; fromMs: number; toMs: number }) {
      return [...requests.values()]
        .filter((each) => each.userId === userId && each.createdAtMs >= fromMs && each.createdAtMs < toMs)
        .filter(({ actionId }) => JSON.stringify([programs.get(actionId)]) === nameKey)
        .map(({ actionId, actionType, risk }) => ({ actionType, risk, wasAsked: prompts.has(actionId) }));
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
