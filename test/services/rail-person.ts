import { expect } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { actionOf, wholePrompts } from '../http/confirmation-queue.ts';
import type { Model, Scope } from './rail-model.ts';
import { type OperationThat, pick } from './rail-operations.ts';
import type { Rig } from './rig.ts';

const HOLD_MS = 1_000;
const HOLD_COUNTS_MS = 30_000;
const LONGEST_EXPIRY_MS = 600_000;
const LONGEST_DELAY_MS = 2_000;

/** A prompt, and what the person did to it by the test's own watch. */
type Seen = { prompt: Confirmation; shownAtMs?: number; pressedAtMs?: number; heldAtMs?: number; policy: number };

/** A person at the dashboard who answers at random. Each answer must count exactly where CONFIRMATIONS.md says so. */
export function createPerson(rigNow: () => Rig, model: Model) {
  const seen = new Map<string, Seen>();
  const prompts = () => wholePrompts(rigNow().services.console);
  const seenAt = (index: number): Seen | undefined => seen.get(pick(prompts(), index)?.id ?? '');
  let allowed = 0;

  function show(one: Seen | undefined): void {
    if (one === undefined) return;
    const given = rigNow().services.console.confirmations.shown(one.prompt.id);
    if (!isRefusal(given)) one.shownAtMs = rigNow().clock.nowMs();
  }

  function hold(one: Seen | undefined, phase: 'press' | 'release'): void {
    if (one === undefined) return;
    rigNow().services.console.confirmations.hold(one.prompt.id, phase);
    const atMs = rigNow().clock.monotonicMs();
    const { pressedAtMs } = one;
    delete one.heldAtMs;
    if (phase === 'press') one.pressedAtMs = atMs;
    else if (pressedAtMs !== undefined && atMs - pressedAtMs >= HOLD_MS) one.heldAtMs = atMs;
    else delete one.pressedAtMs;
  }

  /** Whether an approval meets every condition of CONFIRMATIONS.md. */
  function yesCounts({ prompt, shownAtMs, heldAtMs, policy }: Seen, scope: Scope): boolean {
    const kind = model.asked.get(actionOf(prompt)?.actionId ?? '')?.kind;
    const isHigh = kind?.level === 'high';
    const { clock } = rigNow();
    return (
      shownAtMs !== undefined &&
      clock.nowMs() >= shownAtMs + (isHigh ? 2_000 : 1_000) &&
      (!isHigh || (heldAtMs !== undefined && clock.monotonicMs() - heldAtMs <= HOLD_COUNTS_MS)) &&
      policy === model.policy() &&
      !(scope === 'always' && kind?.notForGood)
    );
  }

  function decide(one: Seen | undefined, operation: Omit<OperationThat<'decide'>, 'prompt'>): void {
    if (one === undefined) return;
    const { id, nonce, actionDigest, createdAt } = one.prompt;
    const { yes, scope, with: by } = operation;
    // Only the time of the first prompt of the queue runs.
    const isInTime = prompts().some((open) => open.id === id);
    if (isInTime) expect(rigNow().clock.nowMs()).toBeLessThan(Date.parse(createdAt) + LONGEST_EXPIRY_MS);
    const given = rigNow().services.console.confirmations.decide(id, {
      decision: yes ? 'allow' : 'deny',
      scope,
      nonce: by === 'another nonce' ? 'A'.repeat(nonce.length) : nonce,
      actionDigest: by === 'another digest' ? '0'.repeat(64) : actionDigest,
    });
    const counts = by === 'its own' && isInTime && (!yes || yesCounts(one, scope));
    expect({ operation, counts: !isRefusal(given) }).toEqual({ operation, counts });
    if (counts && yes) noteYes(one, scope);
  }

  function noteYes({ prompt }: Seen, scope: Scope): void {
    const actionId = actionOf(prompt)?.actionId ?? '';
    allowed += 1;
    model.approve(actionId);
    if (scope === 'once') return;
    const [grant] = rigNow().services.console.grants.list();
    expect(grant?.scope).toBe(scope);
    model.grant(String(grant?.id), actionId, { scope, atMs: rigNow().clock.nowMs() });
  }

  return {
    allowed: () => allowed,
    prompts,
    /** To be called after everything that may have made prompts. */
    look(): void {
      for (const prompt of prompts()) {
        // A change of the rules makes another prompt of it, which has to be shown and held anew.
        if (seen.get(prompt.id)?.prompt.nonce !== prompt.nonce) seen.set(prompt.id, { prompt, policy: model.policy() });
      }
    },
    show: ({ prompt }: OperationThat<'show'>) => show(seenAt(prompt)),
    hold: ({ prompt, phase }: OperationThat<'hold'>) => hold(seenAt(prompt), phase),
    decide: (operation: OperationThat<'decide'>) => decide(seenAt(operation.prompt), operation),
    decideAgain({ prompt: index }: OperationThat<'decideAgain'>): void {
      const open = new Set(prompts().map(({ id }) => id));
      const ended = [...seen.values()].filter(({ prompt }) => !open.has(prompt.id));
      const one = pick(ended, index);
      if (one === undefined) return;
      const { id, nonce, actionDigest } = one.prompt;
      const again = { decision: 'allow', scope: 'once', nonce, actionDigest } as const;
      expect(rigNow().services.console.confirmations.decide(id, again)).toHaveProperty('refused');
    },
    consent({ prompt, scope, holds, agentIsGone }: OperationThat<'consent'>): void {
      const one = seenAt(prompt);
      show(one);
      rigNow().clock.advance(LONGEST_DELAY_MS);
      if (holds) hold(one, 'press');
      rigNow().clock.advance(HOLD_MS);
      if (holds) hold(one, 'release');
      if (agentIsGone) rigNow().agent.become('offline');
      if (prompts().some(({ id }) => id === one?.prompt.id)) {
        decide(one, { does: 'decide', yes: true, scope, with: 'its own' });
      }
    },
  };
}
