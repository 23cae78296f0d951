import { encodeTime } from 'ulid';
import type { Answer } from '../../src/guardian/insights/facts.ts';
import type { Store } from '../../src/store/store.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { action, device } from '../store/rig.ts';
import type { Reply, ShownPrompt } from './persons.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const WORK_MS = 8 * HOUR_MS;
const DELAY_MS = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };
const EXPIRY_MS = 90_000;
const LONGEST_MS = 85_000;
const HASTY_MS = 2_000;

/** One prompt and its answer. `number`: of the day, from 1 on. `isRepeat`: exactly this was allowed before. */
export type Asked = { prompt: ShownPrompt; reply: Reply; atMs: number; number: number; isRepeat: boolean };

/** How many approvals above low risk a day had, and how many of them within two seconds. */
export type DayCounts = { promptAllowedElevated: number; promptAllowedHastily: number };

/** The history of a person's answers, as the rules about approvals read it. */
export type AnswerHistory = {
  add(startMs: number, asked: readonly Asked[]): void;
  /** After a time, the latest first. */
  answers(latest: { afterMs: number; limit: number }): Answer[];
  /** The counts of the day until an hour after a time. */
  day(nowMs: number): DayCounts;
};

export function createMemoryHistory(): AnswerHistory {
  let answers: Answer[] = [];
  return {
    add(_startMs, asked) {
      answers = [...asked.flatMap(answerOf).toReversed(), ...answers];
    },
    answers: ({ afterMs, limit }) => answers.slice(0, limit).filter(({ decidedAtMs }) => decidedAtMs > afterMs),
    day(nowMs) {
      const lately = answers.filter(({ decidedAtMs }) => decidedAtMs > nowMs + HOUR_MS - DAY_MS);
      const approvals = lately.filter(({ isAllowed, risk }) => isAllowed && risk !== 'low');
      const hasty = approvals.filter(({ tookMs }) => tookMs !== null && tookMs < HASTY_MS);
      return { promptAllowedElevated: approvals.length, promptAllowedHastily: hasty.length };
    },
  };
}

function answerOf(asked: Asked): Answer[] {
  const { prompt, reply, isRepeat } = asked;
  if (reply === null) return [];
  return [
    {
      actionId: idsOf(asked).actionId,
      userId: 'ann',
      risk: prompt.risk,
      isAllowed: reply.isAllowed,
      decidedAtMs: decidedAtMs(asked),
      tookMs: decidedAtMs(asked) - asked.atMs - DELAY_MS[prompt.risk],
      characters: prompt.characters,
      isRepeat,
      wasOpenedToEnd: null,
    },
  ];
}

function decidedAtMs({ prompt, reply, atMs }: Asked): number {
  return atMs + Math.round(reply === null ? EXPIRY_MS : DELAY_MS[prompt.risk] + Math.min(reply.tookMs, LONGEST_MS));
}

function idsOf({ atMs, number }: Asked): { actionId: string; confirmationId: string } {
  const id = `${encodeTime(atMs, 10)}${String(number).padStart(16, '0')}`;
  return { actionId: `act_${id}`, confirmationId: `cnf_${id}` };
}

/** The same in a store, written as the daemon does. */
export function createStoredHistory(store: Store): AnswerHistory {
  store.write('relaxed', () => store.devices.insert(device()));
  return {
    add: (startMs, asked) =>
      store.write('relaxed', () => {
        store.journal.append(startMs, fromOtherBuild({ kind: 'daemon.started' }));
        for (const each of asked) storePrompt(store, each);
        store.journal.append(startMs + WORK_MS, { kind: 'daemon.stopped' });
      }),
    answers: (latest) => store.evidence.answers(latest),
    day(nowMs) {
      const span = { fromMs: nowMs + HOUR_MS - DAY_MS, toMs: nowMs + HOUR_MS };
      const { promptAllowedElevated, promptAllowedHastily } = store.recording.recorded(span, nowMs).rollup.counters;
      return { promptAllowedElevated, promptAllowedHastily };
    },
  };
}

/** The rows and events of one prompt, from the request to its answer. */
function storePrompt(store: Store, asked: Asked): void {
  const { prompt, reply, atMs } = asked;
  const { risk, digest, characters } = prompt;
  const { actionId, confirmationId } = idsOf(asked);
  const subject = { userId: 'ann', actionId };
  const delayMs = DELAY_MS[risk];
  const status = reply === null ? 'expired' : reply.isAllowed ? 'allowed' : 'denied';
  const answeredMs = decidedAtMs(asked);
  const requested = { type: 'OpenApp', risk, digest, verdict: 'ask', by: 'profile' };
  store.actions.insert(action({ id: actionId, digest, risk: { level: risk, reasons: [] }, createdAtMs: atMs }));
  store.journal.append(atMs, fromOtherBuild({ kind: 'action.requested', ...subject, metadata: requested }));
  const secrets = { nonce: 'n', policyVersion: '1' };
  const times = { createdAtMs: atMs, expiresAtMs: atMs + EXPIRY_MS };
  store.confirmations.insert({
    kind: 'action',
    id: confirmationId,
    actionId,
    userId: 'ann',
    actionDigest: digest,
    ...secrets,
    ...times,
  });
  store.confirmations.markShown(confirmationId, { shownAtMs: atMs, answerableAtMs: atMs + delayMs, characters });
  const shown = { delayMs, characters };
  store.journal.append(atMs, { kind: 'confirmation.shown', ...subject, confirmationId, metadata: shown });
  store.confirmations.decide(confirmationId, { status, atMs: answeredMs });
  const ended = status === 'allowed' ? 'queued' : status;
  store.journal.append(answeredMs, {
    kind: `action.${status}`,
    ...subject,
    metadata: { status: ended, confirmationId },
  });
}
