import { encodeTime } from 'ulid';
import { approvalHabit } from '../../src/guardian/insights/approval-habit.ts';
import { type Answer, type Facts, FOUR_WEEKS_MS, LOOKED_AT } from '../../src/guardian/insights/facts.ts';
import type { Finding } from '../../src/guardian/insights/finding.ts';
import { rubberStamping } from '../../src/guardian/insights/rubber-stamping.ts';
import { emptyRollup } from '../../src/guardian/recording/rollup.ts';
import type { Store } from '../../src/store/store.ts';
import { type Chance, createChance } from '../bench/simulation/chance.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { action, device, open } from '../store/rig.ts';
import { drawPrompt, type Kind, type Person, type Reply, type ShownPrompt } from './persons.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday, at nine. */
const START_MS = Date.parse('2026-01-05T09:00:00Z');
/** No person here answers more. */
const MOST_A_DAY = 40;
const WORK_MS = 8 * HOUR_MS;
const DELAY_MS = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };

/** `day`: how many working days passed before it, from 0 on. */
export type Told = { day: number; finding: Finding };

/**
 * Lets a person answer prompts on working days, stores them as the daemon does, and looks at what is found after every answer and at
 * the end of every day. Ends with the first finding above `info` from `fromDay` on, or else after so many days.
 */
export function liveUntilTold(kind: Kind, options: { seed: number; days: number; fromDay?: number }): Told | undefined {
  const { seed, days, fromDay = 0 } = options;
  const chance = createChance(seed, ...[...kind.name].map((letter) => letter.charCodeAt(0)));
  const person = kind.draw(chance);
  const store = open();
  store.write('relaxed', () => store.devices.insert(device()));
  const allowed = new Set<string>();
  for (let day = 0; day < days; day += 1) {
    const startMs = START_MS + (7 * Math.floor(day / 5) + (day % 5)) * DAY_MS;
    liveDay(store, { person, chance, allowed, day, startMs });
    const finding = day < fromDay ? undefined : toldOn(store, startMs);
    if (finding !== undefined) return { day, finding };
  }
  return undefined;
}

type Day = { person: Person; chance: Chance; allowed: Set<string>; day: number; startMs: number };

function liveDay(store: Store, { person, chance, allowed, day, startMs }: Day): void {
  const count = person.promptsOfDay();
  const denied = person.deniesOneADay === true ? chance.whole(1, count) : 0;
  store.write('relaxed', () => {
    store.journal.append(startMs, fromOtherBuild({ kind: 'daemon.started' }));
    for (let number = 1; number <= count; number += 1) {
      const prompt = drawPrompt(chance, allowed);
      const said = person.answer(prompt, day);
      const reply = number === denied && said !== null ? { ...said, isAllowed: false } : said;
      if (reply?.isAllowed === true) allowed.add(prompt.digest);
      const atMs = startMs + Math.floor((WORK_MS * number) / (count + 1));
      storePrompt(store, { prompt, reply, atMs, id: `${encodeTime(atMs, 10)}${String(number).padStart(16, '0')}` });
    }
    store.journal.append(startMs + WORK_MS, { kind: 'daemon.stopped' });
  });
}

type Asked = { prompt: ShownPrompt; reply: Reply; atMs: number; id: string };

/** The rows and events of one prompt, from the request to its answer. */
function storePrompt(store: Store, { prompt, reply, atMs, id }: Asked): void {
  const { risk, digest, characters } = prompt;
  const [actionId, confirmationId] = [`act_${id}`, `cnf_${id}`];
  const subject = { userId: 'ann', actionId };
  const delayMs = DELAY_MS[risk];
  const status = reply === null ? 'expired' : reply.isAllowed ? 'allowed' : 'denied';
  const answeredMs = atMs + Math.round(reply === null ? 90_000 : delayMs + Math.min(reply.tookMs, 85_000));
  const requested = { type: 'OpenApp', risk, digest, verdict: 'ask', by: 'profile' };
  store.actions.insert(action({ id: actionId, digest, risk: { level: risk, reasons: [] }, createdAtMs: atMs }));
  store.journal.append(atMs, fromOtherBuild({ kind: 'action.requested', ...subject, metadata: requested }));
  const secrets = { nonce: 'n', policyVersion: '1' };
  const times = { createdAtMs: atMs, expiresAtMs: atMs + 90_000 };
  store.confirmations.insert({
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

/** The first finding above `info` of a day, as a look after each answer would find it. */
function toldOn(store: Store, startMs: number): Finding | undefined {
  const latest = store.evidence.answers({
    afterMs: startMs + WORK_MS - FOUR_WEEKS_MS,
    limit: LOOKED_AT.answers + MOST_A_DAY,
  });
  const today = latest.filter(({ decidedAtMs }) => decidedAtMs >= startMs).length;
  for (let after = today - 1; after >= 0; after -= 1) {
    const [finding] = rubberStamping({ answers: latest.slice(after, after + LOOKED_AT.answers) });
    if (finding !== undefined) return finding;
  }
  const [finding] = approvalHabit(factsAt(store, startMs + WORK_MS, latest.slice(0, LOOKED_AT.answers)));
  return finding?.severity === 'info' ? undefined : finding;
}

function factsAt(store: Store, nowMs: number, answers: readonly Answer[]): Facts {
  const recorded = (lengthMs: number) => {
    const span = { fromMs: nowMs + HOUR_MS - lengthMs, toMs: nowMs + HOUR_MS };
    return { ...store.recording.recorded(span, nowMs), lengthMs };
  };
  const prompts = store.evidence.prompts({
    afterId: `cnf_${encodeTime(nowMs - DAY_MS, 10)}`,
    limit: LOOKED_AT.prompts,
  });
  return {
    nowMs,
    hour: { rollup: emptyRollup(), upTime: { upMs: 0, unlockedMs: 0, readyMs: 0 }, lengthMs: HOUR_MS },
    day: recorded(DAY_MS),
    requests: [],
    prompts,
    answers,
    firstHighRisk: [],
    newRequesters: [],
    programChanges: [],
    refusedRequests: [],
    grants: [],
    grantsGiven: { lately: 0, before: 0, daysBefore: 0 },
    missingPermissions: [],
    trends: [],
    metricOnsets: [],
  };
}
