import type { Failure, Reply } from '../../../src/client/call.ts';
import type { RiskLevel } from '../../../src/contract/action.ts';
import type { Confirmation } from '../../../src/contract/console.ts';
import { createObservable, type Observable } from '../observable.ts';

/** Whether a prompt can be answered yet, and if not, why. */
export type Arming =
  /** The page is hidden or another window is in front. */
  | { state: 'away' }
  /** Parts of the prompt were not on screen yet. */
  | { state: 'partly seen'; canDeny: boolean }
  /** All of it was seen, and the daemon is being told. */
  | { state: 'reporting'; canDeny: boolean }
  | { state: 'waiting'; canDeny: boolean; delayMs: number }
  | { state: 'alive'; canDeny: true };

export type PromptArming = Observable<Arming> & {
  /** A person looks at the page, or has stopped to. Each time they come back the delay starts anew. */
  attend(isAttended: boolean): void;
  /** Everything there is to read has been on screen. */
  seen(): void;
  /** The answers are somewhere else on the screen than a moment ago: a hand may have been about to press something else. */
  moved(): void;
  /** The daemon found it too early: starts anew. */
  restart(): void;
  /** A fact of the prompt is another one now, and has to be seen. Deny stays as it is. */
  changed(): void;
};

/** Nothing is answered in this time after the page came to the front or the prompt appeared, nor allowed after it moved. */
const SETTLE_MS = 400;
const RETRY_MS = 1_000;
const DELAY_MS: Record<RiskLevel, number> = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };

/** The prompt itself is over; anything else may be better in a moment, also that another prompt has to be shown first. */
const ENDED: ReadonlySet<Failure['code']> = new Set(['confirmation_resolved', 'confirmation_expired', 'not_found']);

type Options = {
  level: RiskLevel;
  /** The person could deny this prompt a moment ago, before a fact was added to it. They can go on to do so. */
  wasDeniable?: boolean;
  /** Tells the daemon that the prompt was on screen to its end, and for how long the person has had it in front of them. */
  report: (onScreenMs: number) => Promise<Reply<Pick<Confirmation, 'shownAt' | 'answerableAt'>>>;
  /** The prompt can no longer be answered. */
  onRefused: (failure: Failure) => void;
};

/** Sums up the times in which a prompt is in front of the person. */
function createScreenTime() {
  let passedMs = 0;
  let sinceMs: number | undefined;
  const totalMs = () => Math.round(passedMs + (sinceMs === undefined ? 0 : performance.now() - sinceMs));
  return {
    start(): void {
      sinceMs = performance.now();
    },
    stop(): void {
      passedMs = totalMs();
      sinceMs = undefined;
    },
    totalMs,
  };
}

/**
 * Keeps Allow dead until its prompt was fully shown for long enough, by the daemon's measure and by our own: whichever
 * ends later counts.
 */
export function createArming({ level, wasDeniable = false, report, onRefused }: Options): PromptArming {
  const state = createObservable<Arming>({ state: 'away' });
  let isAttended = false;
  let isSeen = false;
  let deniesAtOnce = wasDeniable;
  let round = 0;
  let aliveAtMs = 0;
  const screenTime = createScreenTime();

  /** Runs later, unless a new round has begun by then. */
  const later = (durationMs: number, run: () => void) => {
    const began = round;
    setTimeout(() => began === round && run(), durationMs);
  };
  const canDeny = () => {
    const current = state.get();
    return current.state !== 'away' && current.canDeny;
  };

  function begin(): void {
    round += 1;
    state.set(isAttended ? { state: 'partly seen', canDeny: deniesAtOnce } : { state: 'away' });
    if (!isAttended) return;
    deniesAtOnce = false;
    later(SETTLE_MS, () => {
      const current = state.get();
      if (current.state !== 'away') state.set({ ...current, canDeny: true });
    });
    if (isSeen) void tell();
  }

  async function tell(): Promise<void> {
    const began = round;
    state.set({ state: 'reporting', canDeny: canDeny() });
    const answer = await report(screenTime.totalMs());
    if (began !== round) return;
    if (answer.ok) return wait(answer.value);
    if (ENDED.has(answer.failure.code)) onRefused(answer.failure);
    else later(RETRY_MS, () => void tell());
  }

  function wait({ shownAt = '', answerableAt = '' }: Pick<Confirmation, 'shownAt' | 'answerableAt'>): void {
    const asked = Date.parse(answerableAt) - Date.parse(shownAt);
    liveAfter(Math.max(DELAY_MS[level], Number.isNaN(asked) ? 0 : asked));
  }

  function liveAfter(delayMs: number): void {
    const atMs = performance.now() + delayMs;
    aliveAtMs = atMs;
    state.set({ state: 'waiting', canDeny: canDeny(), delayMs });
    later(delayMs, () => atMs === aliveAtMs && state.set({ state: 'alive', canDeny: true }));
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    attend(attended) {
      if (attended === isAttended) return;
      isAttended = attended;
      if (attended) screenTime.start();
      else screenTime.stop();
      begin();
    },
    seen() {
      if (isSeen) return;
      isSeen = true;
      if (isAttended) void tell();
    },
    moved() {
      const { state: current } = state.get();
      if (current === 'waiting' || current === 'alive') liveAfter(Math.max(SETTLE_MS, aliveAtMs - performance.now()));
    },
    restart: begin,
    changed() {
      isSeen = false;
      deniesAtOnce = canDeny();
      begin();
    },
  };
}
