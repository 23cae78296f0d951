import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Confirmation, ConsoleStatus, Decision, Grant, Prompt, Requester } from '../../src/contract/console.ts';
import type { StreamEvent } from '../../src/contract/event.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import type { Profile, ProfileList } from '../../src/contract/profile.ts';
import type { Task } from '../../src/contract/task.ts';
import { BUILT_IN_PROFILES } from '../../src/domain/profile.ts';
import type { Refusal } from '../../src/services/refusal.ts';
import type { ConsoleService, EventService, GuardianService } from '../../src/services/services.ts';
import { actionOf, queueOf } from '../http/confirmation-queue.ts';
import { createFakeServices } from '../http/fake-services.ts';
import { asItems } from '../services/page-items.ts';
import { type Ask, newConfirmation, newGrant, newInsight, newRequester, newTask } from './made-up.ts';

/**
 * The console of a daemon whose script the test writes. It enforces what the daemon enforces (nonce, digest, the delay
 * after `shown`, presence by its own clock), so that a page that cheats is found out, and it notes every answer.
 */
export type ScriptedConsole = ConsoleService & {
  events: EventService;
  codes: Set<string>;
  /** Puts a prompt into the queue, and tells the page. */
  ask(what?: Ask): Confirmation;
  /** The action behind a prompt is another one now. */
  change(id: string, prompt: Partial<Prompt>): void;
  end(id: string, status: 'expired' | 'denied' | 'allowed'): void;
  /** The person is called for a prompt. */
  call(id: string): void;
  /** Every answer that was given, in words: `allow once hold TakeScreenshot`, `refused confirmation_not_ready`. */
  answers: string[];
  /** Prompts that were fetched one by one. */
  fetched: string[];
  /** How often `shown` was reported for a prompt. */
  shownCount(id: string): number;
  grant(overrides?: Partial<Grant>): Grant;
  /** A task with a step of which nobody knows whether it happened. */
  stick(overrides?: Partial<Task>): Task;
  set(part: Partial<ConsoleStatus>): ConsoleStatus;
  /** Guardian tells the person of something. */
  tellInsight(insight: { insightId: string; title: string }): void;
  acknowledge: GuardianService['acknowledge'];
  /** Ids of insights the person said they know of. */
  acknowledged: string[];
  /** Every key it has handed out, newest last. */
  userKeys: string[];
  /** How many codes were sent, right or wrong. */
  attempts(): number;
  /** How many sessions there are. */
  sessionCount(): number;
  /** Ends every session, as a restart of the daemon does. */
  forgetSessions(): void;
};

/** The code that signs in once at a scripted daemon. */
export const ONE_USE_CODE = '7KQF-3XWA';

const DELAY_MS = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };
const HOLD_MS = 1_000;

export function createScriptedConsole(): ScriptedConsole {
  const confirmations = new Map<string, Confirmation>();
  const presses = new Map<string, { pressedAtMs: number; isComplete: boolean }>();
  const shown = new Map<string, number>();
  const grants = new Map<string, Grant>();
  const stuck = new Map<string, Task>();
  const keys = new Map<string, AbortController>();
  const codes = new Set([ONE_USE_CODE]);
  const answers: string[] = [];
  const fetched: string[] = [];
  const userKeys: string[] = [];
  const assignments = new Map<string, string>();
  let custom: Profile[] = [];
  const happened: StreamEvent[] = [];
  const acknowledged: string[] = [];
  const told = new EventTarget();
  let wrongCodes = 0;
  let attempts = 0;
  let standing: Partial<ConsoleStatus> = {};

  const tell = (kind: string, metadata: StreamEvent['metadata'] = {}) => {
    happened.push({ id: String(happened.length + 1), at: new Date().toISOString(), kind, metadata });
    told.dispatchEvent(new Event('told'));
  };
  const pending = () =>
    [...confirmations.values()]
      .filter(({ status }) => status === 'pending')
      .toSorted((one, other) => DELAY_MS[other.prompt.risk.level] - DELAY_MS[one.prompt.risk.level]);
  const inPlace = (each: Confirmation, index: number): Confirmation => ({
    ...each,
    prompt: { ...each.prompt, place: index + 1, waiting: pending().length },
  });
  const open = (id: string): Confirmation | Refusal => {
    const found = confirmations.get(id);
    if (found === undefined) return refused('not_found', 'No such confirmation.');
    if (found.status === 'expired') return refused('confirmation_expired', 'It expired.');
    return found.status === 'pending' ? found : refused('confirmation_resolved', `It was ${found.status}.`);
  };
  const end = (id: string, status: 'expired' | 'denied' | 'allowed') => {
    const found = confirmations.get(id);
    if (found !== undefined) found.status = status;
    tell(`confirmation.${status}`);
  };
  const objection = (found: Confirmation, decision: Decision): Refusal | undefined => {
    if (decision.nonce !== found.nonce || decision.actionDigest !== found.actionDigest) {
      return refused('confirmation_stale', 'It is not the one that was shown.');
    }
    if (decision.decision === 'deny') return undefined;
    const isReady = found.answerableAt !== undefined && Date.now() >= Date.parse(found.answerableAt);
    if (!isReady) return refused('confirmation_not_ready', 'It was not shown for long enough.');
    const isHeld = presses.get(found.id)?.isComplete === true && decision.presence === 'hold';
    const isPresent = found.presenceBy === 'touchId' ? decision.presence === 'touchId' : isHeld;
    return found.presenceRequired && !isPresent ? refused('confirmation_not_ready', 'It was not held.') : undefined;
  };

  const status = (): ConsoleStatus => ({
    paused: false,
    locked: false,
    agent: 'online',
    waiting: pending().length,
    running: 0,
    requesters: [],
    underWay: [],
    lastEventId: String(happened.length),
    ...standing,
  });
  const set = (part: Partial<ConsoleStatus>) => {
    standing = { ...standing, ...part };
    tell('daemon.changed');
    return status();
  };
  const cancel = (kind: 'action' | 'task', id: string) => {
    answers.push(`cancel ${kind} ${id}`);
    set({ underWay: status().underWay.filter((item) => item.id !== id) });
  };
  const setRequester = (userId: string, part: Partial<Requester>): Requester => {
    const { requesters } = status();
    const requester = { ...(requesters.find((one) => one.userId === userId) ?? newRequester(userId)), ...part };
    const others = requesters.filter((one) => one.userId !== userId);
    set({ requesters: [...others, requester].toSorted((one, other) => one.userId.localeCompare(other.userId)) });
    return requester;
  };
  const setProfiles = (next: Profile[]) => {
    custom = next;
    tell('profile.changed');
  };
  const profiles = (): ProfileList => ({
    items: [
      ...BUILT_IN_PROFILES.map((profile) => ({ ...profile, builtIn: true })),
      ...custom.map((profile) => ({ ...profile, builtIn: false })),
    ],
    assignments: [...assignments].map(([userId, profile]) => ({ userId, profile })),
  });

  return {
    ...createFakeServices().console,
    answers,
    fetched,
    acknowledged,
    tellInsight: (insight) => tell('insight.told', insight),
    acknowledge(id) {
      acknowledged.push(id);
      return newInsight(id);
    },
    codes,
    userKeys,
    events: {
      latestId: () => happened.length,
      isReplayable: () => true,
      read: (afterId) => ({ events: happened.slice(afterId), reachedId: happened.length }),
      async more(afterId, signal) {
        if (happened.length > afterId || signal.aborted) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        for (const source of [told, signal]) {
          source.addEventListener('told', () => resolve(), { once: true });
          source.addEventListener('abort', () => resolve(), { once: true });
        }
        await promise;
      },
    },
    openSession(code) {
      attempts += 1;
      if (!codes.delete(code)) {
        if (wrongCodes >= 5) return { ...refused('rate_limited', 'Five wrong codes.'), retryAfterSeconds: 60 };
        wrongCodes += 1;
        return refused('console_session_required', 'The code is wrong, used or old.');
      }
      const key = randomUUID();
      keys.set(key, new AbortController());
      return { key, expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    },
    closeSession(key) {
      keys.get(key)?.abort();
      keys.delete(key);
    },
    isSession: (key) => keys.has(key),
    wasSession: (key) => keys.has(key),
    sessionSignal: (key) => keys.get(key)?.signal ?? AbortSignal.abort(),
    confirmations() {
      const waiting = pending();
      return queueOf(waiting.map(inPlace));
    },
    confirmation(id) {
      const found = open(id);
      if ('refused' in found) return found;
      fetched.push(id);
      return inPlace(found, pending().indexOf(found));
    },
    confirmationShown(id) {
      const found = open(id);
      if ('refused' in found) return found;
      const isFirst = pending()[0]?.id === id;
      if (found.shownAt === undefined && !isFirst) return refused('confirmation_not_ready', 'Another one is first.');
      shown.set(id, (shown.get(id) ?? 0) + 1);
      const atMs = Date.now();
      found.shownAt = new Date(atMs).toISOString();
      found.answerableAt = new Date(atMs + DELAY_MS[found.prompt.risk.level]).toISOString();
      tell('confirmation.shown');
      return found;
    },
    hold(id, phase) {
      const found = open(id);
      if ('refused' in found) return found;
      const press = presses.get(id);
      if (phase === 'press') presses.set(id, { pressedAtMs: performance.now(), isComplete: false });
      else if (press !== undefined) press.isComplete = performance.now() - press.pressedAtMs >= HOLD_MS;
      return found;
    },
    decide(id, decision) {
      const found = open(id);
      const refusal = 'refused' in found ? found : objection(found, decision);
      if (refusal !== undefined || 'refused' in found) {
        answers.push(`refused ${refusal?.refused}`);
        return refusal ?? refused('not_found', 'No such confirmation.');
      }
      const words = [decision.decision, decision.scope, decision.presence, actionOf(found)?.actionType ?? 'the plan'];
      answers.push(words.filter((word) => word !== undefined).join(' '));
      end(id, decision.decision === 'allow' ? 'allowed' : 'denied');
      if (found.kind === 'plan') return newTask();
      return { ...found.action, status: decision.decision === 'allow' ? 'success' : 'denied' };
    },
    undoDenial(id) {
      const found = confirmations.get(id);
      if (found?.status !== 'denied') return refused('confirmation_resolved', 'There is no denial to undo.');
      answers.push('undo');
      const { shownAt: _shownAt, answerableAt: _answerableAt, ...rest } = found;
      const again = { ...rest, status: 'pending' } as const;
      confirmations.set(id, again);
      tell('confirmation.denial_undone');
      return again;
    },
    ask(what = {}) {
      const confirmation = newConfirmation(what);
      confirmations.set(confirmation.id, confirmation);
      tell('action.requested');
      return confirmation;
    },
    change(id, prompt) {
      const found = confirmations.get(id);
      if (found === undefined) throw new Error(`there is no confirmation ${id} to change`);
      const actionDigest = createHash('sha256').update(randomUUID()).digest('hex');
      const { shownAt: _shownAt, answerableAt: _answerableAt, ...rest } = found;
      confirmations.set(id, { ...rest, nonce: randomUUID(), actionDigest, prompt: { ...found.prompt, ...prompt } });
      tell('confirmation.changed');
    },
    end,
    call(id) {
      const found = confirmations.get(id);
      if (found !== undefined) found.calledAt = new Date().toISOString();
      tell('confirmation.called');
    },
    shownCount: (id) => shown.get(id) ?? 0,
    grant(overrides = {}) {
      const grant = newGrant(overrides);
      grants.set(grant.id, grant);
      tell('grant.given');
      return grant;
    },
    stick(overrides = {}) {
      const task = newTask({ status: 'needs_attention', ...overrides });
      stuck.set(task.taskId, task);
      tell('task.needs_attention');
      return task;
    },
    tasks: async () => ({ items: asItems([...stuck.values()]), nextCursor: null }),
    cancelAction(id) {
      cancel('action', id);
      const { action } = newConfirmation({});
      return { ...action, actionId: id, status: 'cancelled' };
    },
    cancelTask(id) {
      cancel('task', id);
      return newTask({ taskId: id, status: 'cancelled' });
    },
    resolveStep(taskId, stepId, resolution) {
      const task = stuck.get(taskId);
      const step = task?.steps.find(({ id, status }) => id === stepId && status === 'unknown');
      if (task === undefined || step === undefined) return refused('already_terminal', 'The step is not unknown.');
      answers.push(`${resolution} ${stepId}`);
      step.status = resolution === 'did_not_happen' ? 'failed' : 'success';
      if (!task.steps.some(({ status }) => status === 'unknown')) stuck.delete(taskId);
      tell('task.step_resolved');
      return task;
    },
    grants: () => [...grants.values()],
    revokeGrant(id) {
      if (!grants.delete(id)) return refused('not_found', 'No such grant.');
      tell('grant.revoked');
      return undefined;
    },
    status,
    set,
    pause: () => set({ paused: true, pausedAt: new Date().toISOString() }),
    resume: () => set({ paused: false }),
    restartAgent: () => set({ agent: 'starting' }),
    profiles,
    putProfile(profile) {
      setProfiles([...custom.filter(({ name }) => name !== profile.name), profile]);
      return profiles();
    },
    removeProfile(name) {
      setProfiles(custom.filter((profile) => profile.name !== name));
      return profiles();
    },
    assignProfile(userId, profile) {
      if (!profiles().items.some(({ name }) => name === profile)) {
        return refused('validation_failed', `There is no profile "${profile}".`);
      }
      assignments.set(userId, profile);
      tell('profile.assigned');
      return profiles();
    },
    createUserKey(userId) {
      const key = randomBytes(32).toString('base64url');
      userKeys.push(key);
      setRequester(userId, { hasKey: true });
      return { key };
    },
    removeUserKey: (userId) => setRequester(userId, { hasKey: false }),
    pauseUser: (userId) => setRequester(userId, { pausedBecause: 'you said so' }),
    resumeUser: (userId) => setRequester(userId, { pausedBecause: null }),
    denyAllOf(userId) {
      const theirs = pending().filter(({ prompt }) => prompt.requester.userId === userId);
      for (const { id } of theirs) end(id, 'denied');
      answers.push(`deny all of ${userId}`);
      return { denied: theirs.length };
    },
    attempts: () => attempts,
    sessionCount: () => keys.size,
    forgetSessions: () => keys.clear(),
  };
}

function refused(code: ProblemCode, detail: string): Refusal {
  return { refused: code, detail };
}
