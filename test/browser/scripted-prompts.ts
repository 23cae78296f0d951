import { createHash, randomUUID } from 'node:crypto';
import type { Confirmation, Decision } from '../../src/contract/console.ts';
import type { Refusal } from '../../src/services/refusal.ts';
import { actionOf, queueOf } from '../http/confirmation-queue.ts';
import { refused } from '../http/refused.ts';
import { newConfirmation, newTask } from './made-up.ts';
import type { ScriptedConsole, Tell } from './scripted-daemon.ts';

const DELAY_MS = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };
const HOLD_MS = 1_000;

type Prompts = Pick<
  ScriptedConsole,
  'confirmations' | 'ask' | 'askAgain' | 'change' | 'learn' | 'end' | 'call' | 'shownCount' | 'fetched'
> & {
  pending(): Confirmation[];
};

/** The prompts of a scripted daemon, with the checks that the daemon makes of an answer. `answers`: takes each in words. */
export function createScriptedPrompts(tell: Tell, answers: string[]): Prompts {
  const confirmations = new Map<string, Confirmation>();
  const presses = new Map<string, { pressedAtMs: number; isComplete: boolean }>();
  const shown = new Map<string, number>();
  const fetched: string[] = [];

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

  const noted = (refusal: Refusal): Refusal => {
    answers.push(`refused ${refusal.refused}`);
    return refusal;
  };

  return {
    fetched,
    pending,
    confirmations: {
      pageOpened: () => () => undefined,
      callTaken: () => undefined,
      list: () => queueOf(pending().map(inPlace)),
      get(id) {
        const found = open(id);
        if ('refused' in found) return found;
        fetched.push(id);
        return inPlace(found, pending().indexOf(found));
      },
      shown(id) {
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
      extend(id) {
        const found = open(id);
        if ('refused' in found) return found;
        found.expiresAt = new Date(Date.parse(found.expiresAt) + 120_000).toISOString();
        tell('confirmation.extended');
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
        if ('refused' in found) return noted(found);
        const refusal = objection(found, decision);
        if (refusal !== undefined) return noted(refusal);
        answers.push(wordsOf(found, decision));
        for (const each of [id, ...(decision.equal ?? [])])
          end(each, decision.decision === 'allow' ? 'allowed' : 'denied');
        if (found.kind === 'plan') return newTask();
        return { ...found.action, status: decision.decision === 'allow' ? 'success' : 'denied' };
      },
      undo(id) {
        const found = confirmations.get(id);
        if (found?.status !== 'denied') return refused('confirmation_resolved', 'There is no denial to undo.');
        answers.push('undo');
        const { shownAt: _shownAt, answerableAt: _answerableAt, ...rest } = found;
        const again = { ...rest, status: 'pending' } as const;
        confirmations.set(id, again);
        tell('confirmation.denial_undone');
        return again;
      },
      denyAllOf(userId) {
        const theirs = pending().filter(({ prompt }) => prompt.requester.userId === userId);
        for (const { id } of theirs) end(id, 'denied');
        answers.push(`deny all of ${userId}`);
        return theirs.length;
      },
      denyStrangers() {
        const theirs = pending().filter(({ prompt }) => prompt.requester.isStranger === true);
        for (const { id } of theirs) end(id, 'denied');
        answers.push('deny all of strangers');
        return theirs.length;
      },
    },
    ask(what = {}) {
      const confirmation = newConfirmation(what);
      confirmations.set(confirmation.id, confirmation);
      tell('action.requested');
      return confirmation;
    },
    askAgain(id) {
      const found = confirmations.get(id);
      if (found === undefined) throw new Error(`there is no confirmation ${id} to ask again`);
      const again = { ...newConfirmation({}), prompt: found.prompt, ...questionOf(found) };
      confirmations.set(again.id, again);
      tell('action.requested');
    },
    change(id, prompt, { isSameAction = false } = {}) {
      const found = confirmations.get(id);
      if (found === undefined) throw new Error(`there is no confirmation ${id} to change`);
      const another = createHash('sha256').update(randomUUID()).digest('hex');
      const actionDigest = isSameAction ? found.actionDigest : another;
      const { shownAt: _shownAt, answerableAt: _answerableAt, ...rest } = found;
      confirmations.set(id, { ...rest, nonce: randomUUID(), actionDigest, prompt: { ...found.prompt, ...prompt } });
      tell('confirmation.changed');
    },
    learn(id, program) {
      const found = confirmations.get(id);
      if (found === undefined) throw new Error(`there is no confirmation ${id} to learn about`);
      const requester = { ...found.prompt.requester, program };
      confirmations.set(id, { ...found, prompt: { ...found.prompt, requester } });
      tell('requester.program');
    },
    end,
    call(id) {
      const found = confirmations.get(id);
      if (found !== undefined) found.calledAt = new Date().toISOString();
      tell('confirmation.called');
    },
    shownCount: (id) => shown.get(id) ?? 0,
  };
}

function questionOf({ actionDigest, question }: Confirmation): Pick<Confirmation, 'actionDigest' | 'question'> {
  return question === undefined ? { actionDigest } : { actionDigest, question };
}

/** An answer as tests read it: `allow once hold TakeScreenshot with 2 equal`. */
function wordsOf(found: Confirmation, { decision, scope, presence, access, note, equal = [] }: Decision): string {
  const also = equal.length === 0 ? undefined : `with ${equal.length} equal`;
  const part = access === undefined ? undefined : `for ${access.minutes} minutes to ${access.apps.join(', ')}`;
  const words = [decision, scope, presence, actionOf(found)?.actionType ?? 'the plan', part, note, also];
  return words.filter((word) => word !== undefined).join(' ');
}
