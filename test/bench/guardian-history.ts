import { encodeTime } from 'ulid';
import type { ActionStatus, RiskLevel } from '../../src/contract/action.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import type { ActionRow } from '../../src/store/records/actions.ts';
import type { ActionConfirmation } from '../../src/store/records/confirmations.ts';
import type { TaskRow } from '../../src/store/records/tasks.ts';
import type { LooseEvent } from '../store/other-build.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EXPIRY_MS = 120_000;

/** An action that has ended, its prompt, if any, and its journal events, in the order of time. */
export type Past = {
  row: ActionRow;
  prompt?: Omit<ActionConfirmation, 'nonce' | 'policyVersion'>;
  events: readonly (LooseEvent & { atMs: number })[];
};

/** A task that has succeeded, and its journal events. */
export type PastTask = { row: TaskRow; events: Past['events'] };

export type Extent = { rows: number; days: number; endMs: number; deviceId: string };

export const USERS = ['ann', 'bob', 'claude', 'nightly-report', 'tester'];
const TARGETS = ['Mail', 'Notes', 'Safari', 'Calendar', 'Terminal', 'Preview', 'Numbers', 'Music'];
const TYPES = [...CATALOGUE.values()];
/** How often a type is asked for, by its place in the catalogue. */
const TYPE_SHARES = [0.2, 0.3, 0.05, 0.3, 0.15];
const HIGH_RISK_SHARE = 0.01;
/** One of this many actions is the first step of a task. */
const ACTIONS_A_TASK = 500;

/**
 * So many actions over so many days before a time, in the order in which they were asked for: busy by day, quiet at night and at
 * weekends. The same extent is the same history.
 */
export function* history({ rows, days, endMs, deviceId }: Extent): Generator<Past> {
  const random = createRandom(rows + days);
  const startMs = Math.floor(endMs / MINUTE_MS) * MINUTE_MS - days * DAY_MS;
  const minutes = days * 24 * 60;
  const weights = Array.from({ length: minutes }, (_, index) => busyness(startMs + index * MINUTE_MS));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  let done = 0;
  for (const [index, weight] of weights.entries()) {
    passed += weight;
    const due = Math.round((rows * passed) / whole) - done;
    for (let nth = 0; nth < due; nth += 1) {
      const atMs = startMs + index * MINUTE_MS + Math.floor(((nth + random()) * MINUTE_MS) / due);
      yield pastAction({ number: done + nth, atMs, deviceId, random });
    }
    done += due;
  }
}

/** The task that some actions are followed by. */
export function taskAfter({ row }: Past, number: number): PastTask | undefined {
  if (number % ACTIONS_A_TASK !== 0) return undefined;
  const id = row.id.replace('act', 'tsk');
  const startedAtMs = row.createdAtMs;
  const finishedAtMs = startedAtMs + 4_000 + (number % 7_000);
  const { userId, deviceId } = row;
  const steps = ['look', 'open', 'tidy'].map((name, index) => ({
    id: name,
    deviceId,
    actionType: 'Wait',
    parameters: undefined,
    dependsOn: index === 0 ? [] : ['look'],
    runIf: 'success' as const,
    timeoutMs: 30_000,
    maxAttempts: 1,
    backoffMs: 0,
    effectClass: 'pure' as const,
    risk: { level: 'low' as const, reasons: [] },
    asks: false,
    status: 'success' as const,
    attempts: 1,
    recoveries: 0,
  }));
  const metadata = { taskId: id, status: 'success', workedMs: finishedAtMs - startedAtMs };
  return {
    row: {
      id,
      userId,
      name: 'Tidy up',
      onFailure: 'stop',
      status: 'success',
      createdAtMs: startedAtMs,
      startedAtMs,
      finishedAtMs,
      askedMs: 0,
      steps,
    },
    events: [
      { kind: 'task.started', atMs: startedAtMs, userId, metadata: { taskId: id } },
      { kind: 'task.ended', atMs: finishedAtMs, userId, metadata },
    ],
  };
}

function busyness(atMs: number): number {
  const at = new Date(atMs);
  const hour = at.getUTCHours();
  const ofDay = hour >= 8 && hour < 18 ? 10 : 1;
  return at.getUTCDay() % 6 === 0 ? ofDay / 3 : ofDay;
}

type Seed = { number: number; atMs: number; deviceId: string; random: () => number };

function pastAction({ number, atMs, deviceId, random }: Seed): Past {
  const type = TYPES[pick(TYPE_SHARES, random())] ?? TYPES[0];
  const risk: RiskLevel = random() < HIGH_RISK_SHARE ? 'high' : (type?.baseRisk ?? 'low');
  const target = TARGETS[Math.floor(TARGETS.length * random() ** 2)] ?? '';
  const userId = USERS[Math.floor(USERS.length * random() ** 2)] ?? '';
  const id = `act_${encodeTime(atMs, 10)}${number.toString().padStart(16, '0')}`;
  const digest = Math.floor(5_000 * random())
    .toString(16)
    .padStart(64, 'd');
  const way = wayOf(risk, random());
  const life = livedAs(way, { id, userId, atMs, digest, random });
  const facts = { type: type?.name ?? '', risk, irreversible: risk === 'high', digest, target: digestOf(target) };
  const by = way === 'grant' ? 'grt_01' : 'profile';
  const subjects = { userId, deviceId, actionId: id };
  const metadata = { ...facts, verdict: VERDICTS[way], by, effectClass: 'pure' };
  return {
    row: {
      ...subjects,
      ...endOf(life, atMs),
      id,
      actionType: facts.type,
      digest,
      timeoutMs: 30_000,
      risk: { level: risk, reasons: [`${facts.type} is of ${risk} risk by itself.`] },
      effectClass: type?.effectClass ?? 'pure',
      artifactCount: 0,
      grantId: way === 'grant' ? by : undefined,
      rule: `The profile careful says what becomes of what is of ${risk} risk.`,
    },
    prompt: life.prompt,
    events: [
      { kind: 'action.requested', atMs, ...subjects, metadata },
      ...life.steps.map((step) => ({ ...step, ...subjects })),
    ],
  };
}

function endOf({ status, prompt, startedAtMs, finishedAtMs }: Life, atMs: number) {
  return {
    status,
    attempt: startedAtMs === undefined ? 0 : 1,
    effect: status === 'success' ? ('confirmed' as const) : ('none' as const),
    details: status === 'success' ? 'It was done, as it was asked for.' : `It ended as ${status}.`,
    error: status === 'failed' ? TIMEOUT : undefined,
    createdAtMs: atMs,
    decidedAtMs: prompt?.decidedAtMs ?? atMs,
    startedAtMs,
    finishedAtMs,
    durationMs: startedAtMs === undefined ? undefined : finishedAtMs - startedAtMs,
  };
}

type Way = 'run' | 'grant' | 'ask' | 'block';
const VERDICTS = { run: 'allow', grant: 'allow', ask: 'ask', block: 'block' } as const;
const TIMEOUT = { code: 'timeout', message: 'It took too long.', retryable: true } as const;

function wayOf(risk: RiskLevel, chance: number): Way {
  if (chance < 0.01) return 'block';
  if (risk === 'low') return 'run';
  return chance < 0.6 ? 'grant' : 'ask';
}

type Life = {
  status: ActionStatus;
  prompt?: NonNullable<Past['prompt']>;
  startedAtMs?: number;
  finishedAtMs: number;
  steps: (LooseEvent & { atMs: number })[];
};
type Beginning = { id: string; userId: string; atMs: number; digest: string; random: () => number };

function livedAs(way: Way, beginning: Beginning): Life {
  if (way === 'block') return { status: 'blocked', finishedAtMs: beginning.atMs, steps: [] };
  return way === 'ask' ? asked(beginning) : ran(beginning, beginning.atMs);
}

function asked(beginning: Beginning): Life {
  const { id, userId, atMs, digest, random } = beginning;
  const confirmationId = id.replace('act', 'cnf');
  const shownAtMs = atMs + Math.floor(2_000 * random());
  const answerableAtMs = shownAtMs + 500;
  const outcome = (['allowed', 'denied', 'expired'] as const)[pick([0.85, 0.08, 0.07], random())] ?? 'allowed';
  const decidedAtMs =
    outcome === 'expired' ? atMs + EXPIRY_MS : answerableAtMs + Math.min(100_000, skewed(6_000, random));
  const steps: Life['steps'] = [
    { kind: 'confirmation.shown', atMs: shownAtMs, confirmationId, metadata: { delayMs: 500 } },
    {
      kind: `action.${outcome}`,
      atMs: decidedAtMs,
      metadata: { status: outcome === 'allowed' ? 'queued' : outcome, confirmationId },
    },
  ];
  const life: Life =
    outcome === 'allowed' ? ran(beginning, decidedAtMs) : { status: outcome, finishedAtMs: decidedAtMs, steps: [] };
  return {
    ...life,
    prompt: {
      kind: 'action',
      id: confirmationId,
      actionId: id,
      userId,
      actionDigest: digest,
      status: outcome,
      createdAtMs: atMs,
      shownAtMs,
      answerableAtMs,
      expiresAtMs: atMs + EXPIRY_MS,
      decidedAtMs,
    },
    steps: [...steps, ...life.steps],
  };
}

function ran({ random }: Beginning, startedAtMs: number): Life {
  const finishedAtMs = startedAtMs + Math.min(30_000, skewed(120, random));
  const [kind, status] = (
    [
      ['action.succeeded', 'success'],
      ['action.failed', 'failed'],
      ['action.stopped', 'cancelled'],
    ] as const
  )[pick([0.96, 0.03, 0.01], random())] ?? ['action.succeeded', 'success'];
  return {
    status,
    startedAtMs,
    finishedAtMs,
    steps: [
      { kind: 'action.dispatched', atMs: startedAtMs, metadata: { status: 'running', attempt: 1 } },
      { kind, atMs: finishedAtMs, metadata: { status } },
    ],
  };
}

/** Most are about as large as usual, some a lot larger. */
function skewed(usual: number, random: () => number): number {
  return Math.round(usual * Math.exp(1.2 * (random() + random() + random() + random() - 2)));
}

/** Which of some shares, which sum up to 1, a chance falls into. */
function pick(shares: readonly number[], chance: number): number {
  let passed = 0;
  const found = shares.findIndex((share) => {
    passed += share;
    return chance < passed;
  });
  return found === -1 ? shares.length - 1 : found;
}

function digestOf(target: string): string {
  return Buffer.from(target.padEnd(8, '-')).toString('hex').slice(0, 16);
}

/** The same numbers from 0 to 1 for the same seed (xorshift with 13, 17 and 5, Marsaglia 2003). */
function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
