import type { RiskCause } from '../../src/contract/risk.ts';
import type { RiskScoreLevel } from '../../src/guardian/risk/risk-score.ts';
import type { Batch, DayPlan } from './day-journal.ts';

/** `weeks`: five workdays a week of ordinary use before the day; `none`: the day is the first. */
export type Before = 'weeks' | 'none';

/** A day, and the answer that a sensible person expects of Guardian in the evening. */
export type ExpectedDay = {
  name: string;
  before: Before;
  day: DayPlan;
  /** Any of these levels is right. */
  levels: readonly RiskScoreLevel[];
  /** Bounds of the score, where the level alone is not enough; both included. */
  score?: { from?: number; to?: number };
  /** Whether the dashboard has a warning, or an insight above `info`; absent where either is right. */
  isWarned?: boolean;
  /** Whether the person gets a notification of an attempt to get around the controls, or of a control that failed. */
  isNotified?: boolean;
  /** Causes that the person has marked as known. */
  known?: readonly RiskCause[];
};

const work = { upFromHour: 9, upToHour: 17 };

/** An ordinary workday: some 65 requests, ten prompts answered after about six seconds, one of them denied, some grants, two failures. */
const ORDINARY: readonly Batch[] = [
  { atHour: 9.5, count: 20, everyMs: 40_000 },
  { atHour: 11, count: 18, everyMs: 50_000, type: 'DescribeScreen', target: 'mail' },
  { atHour: 14, count: 10, everyMs: 45_000, type: 'OpenApp', target: 'editor' },
  { atHour: 14.5, count: 2, everyMs: 45_000, type: 'OpenApp', target: 'editor', fails: true },
  { atHour: 15.5, count: 4, everyMs: 90_000, type: 'QuitApp', risk: 'medium', by: 'grant' },
  { atHour: 10, count: 7, everyMs: 180_000, type: 'WriteFile', risk: 'medium', answer: 'allowed', afterMs: 6_200 },
  { atHour: 16, count: 1, everyMs: 60_000, type: 'WriteFile', risk: 'medium', answer: 'denied', afterMs: 7_000 },
  { atHour: 13, count: 2, everyMs: 600_000, type: 'RunScript', risk: 'high', answer: 'allowed', afterMs: 8_500 },
];

const DELETED: Batch = {
  atHour: 15,
  count: 1,
  everyMs: 60_000,
  type: 'DeleteFile',
  risk: 'high',
  irreversible: true,
  answer: 'allowed',
  afterMs: 9_000,
};

const TASKS = [10.2, 11.2, 12.2, 14.2, 15.2].map((atHour) => ({ atHour, status: 'success' as const }));

/** The workday of an ordinary week with this number; every second one has a file deleted. */
export function ordinaryDay(number: number): DayPlan {
  const more = number % 2 === 0 ? [DELETED] : [];
  const varied = ORDINARY.map((batch) => ({ ...batch, count: batch.count + (batch.count > 9 ? (number * 7) % 5 : 0) }));
  return { ...work, batches: [...varied, ...more], tasks: TASKS, others: [] };
}

const calm = ordinaryDay(1);

function calmAnd(more: Partial<DayPlan>): DayPlan {
  return {
    ...calm,
    ...more,
    batches: [...calm.batches, ...(more.batches ?? [])],
    others: [...calm.others, ...(more.others ?? [])],
  };
}

function refused(atHour: number, metadata: { code: string; count: number; as?: string }) {
  return { kind: 'request.refused', atHour, metadata };
}

/** Refusals spread evenly, one row for each second that has any, as the daemon writes them. */
function refusedOften(rows: number, metadata: { code: string; count: number; as?: string }) {
  return Array.from({ length: rows }, (_, row) => refused(10 + row / 3_600, metadata));
}

const asking = (count: number, answer: Pick<Batch, 'answer' | 'afterMs'>): Batch => ({
  atHour: 10,
  count,
  everyMs: 120_000,
  type: 'WriteFile',
  risk: 'medium',
  ...answer,
});

const surge: DayPlan = {
  ...calm,
  batches: [
    { atHour: 9.2, count: 200, everyMs: 20_000 },
    { atHour: 11.5, count: 200, everyMs: 20_000, type: 'DescribeScreen', target: 'mail' },
    { ...asking(14, { answer: 'allowed', afterMs: 6_000 }), atHour: 12 },
    { ...asking(1, { answer: 'denied', afterMs: 6_000 }), atHour: 13 },
    { atHour: 13, count: 16, everyMs: 120_000, type: 'RunScript', risk: 'high', answer: 'allowed', afterMs: 6_500 },
    { ...DELETED, atHour: 14, count: 19, everyMs: 120_000, afterMs: 7_000 },
  ],
};

/** The expectations were written before the code. */
export const TWENTY_DAYS: readonly ExpectedDay[] = [
  { name: 'a calm day', before: 'weeks', day: calm, levels: ['low'], score: { to: 15 }, isWarned: false },
  {
    name: 'a busy but ordinary day, with twice and a half the usual work',
    before: 'weeks',
    day: calmAnd({
      batches: calm.batches.map((batch) => ({
        ...batch,
        atHour: batch.atHour + 0.3,
        count: Math.ceil(1.5 * batch.count),
      })),
    }),
    levels: ['low'],
    isWarned: false,
  },
  {
    name: 'a weekend day on which nothing is asked',
    before: 'weeks',
    day: { ...work, batches: [], tasks: [], others: [] },
    levels: ['low'],
    score: { to: 5 },
    isWarned: false,
  },
  { name: 'the first day of use', before: 'none', day: calm, levels: ['low'], isWarned: false },
  {
    name: 'seven times the usual volume, with 35 high-risk and 19 irreversible executions',
    before: 'weeks',
    day: surge,
    levels: ['high', 'critical'],
    score: { from: 60 },
    isWarned: true,
  },
  {
    name: 'a surge on the first day, far beyond any limit',
    before: 'none',
    day: {
      ...work,
      upToHour: 12,
      batches: [
        { atHour: 9.2, count: 200, everyMs: 20_000 },
        {
          atHour: 9.1,
          count: 20,
          everyMs: 120_000,
          type: 'RunScript',
          risk: 'high',
          answer: 'allowed',
          afterMs: 6_500,
        },
        { ...DELETED, atHour: 9.2, count: 18, everyMs: 120_000, afterMs: 7_000 },
      ],
      tasks: [],
      others: [],
    },
    levels: ['high', 'critical'],
    isWarned: true,
  },
  {
    name: 'grants that have crept over nearly everything',
    before: 'weeks',
    day: {
      ...calm,
      batches: [
        { atHour: 9.5, count: 30, everyMs: 40_000 },
        { atHour: 11, count: 44, everyMs: 50_000, type: 'WriteFile', risk: 'medium', by: 'grant' },
        { ...asking(1, { answer: 'allowed', afterMs: 7_000 }) },
      ],
    },
    levels: ['moderate'],
    isWarned: true,
  },
  {
    name: 'a person who allows everything after half a second',
    before: 'weeks',
    day: { ...calm, batches: [calm.batches[0] ?? DELETED, asking(40, { answer: 'allowed', afterMs: 500 })] },
    levels: ['high'],
    isWarned: true,
  },
  {
    name: 'a person who allows everything after 2.4 seconds',
    before: 'weeks',
    day: { ...calm, batches: [calm.batches[0] ?? DELETED, asking(40, { answer: 'allowed', afterMs: 2_400 })] },
    levels: ['moderate'],
    isWarned: true,
  },
  {
    name: 'a person who denies nearly everything',
    before: 'weeks',
    day: calmAnd({ batches: [{ ...asking(20, { answer: 'denied', afterMs: 6_000 }), atHour: 15 }] }),
    levels: ['low', 'moderate'],
  },
  {
    name: 'one image request of another site, refused',
    before: 'weeks',
    day: { ...work, batches: [], tasks: [], others: [refused(11, { code: 'cross_site_request', count: 1 })] },
    levels: ['low'],
    score: { to: 5 },
    isWarned: false,
    isNotified: false,
  },
  {
    name: 'a page that pesters with thousands of requests, all refused',
    before: 'weeks',
    day: calmAnd({ others: refusedOften(600, { code: 'cross_site_request', count: 10 }) }),
    levels: ['low', 'moderate'],
    score: { from: 10, to: 49 },
    isWarned: true,
    isNotified: true,
  },
  {
    name: 'a stolen id: somebody tries keys for the id of a requester',
    before: 'weeks',
    day: calmAnd({ others: refusedOften(25, { code: 'user_key_invalid', count: 1 }) }),
    levels: ['moderate'],
    isWarned: true,
    isNotified: true,
  },
  {
    name: 'somebody tries keys of the console',
    before: 'weeks',
    day: calmAnd({
      others: refusedOften(12, { code: 'console_session_required', count: 1, as: 'session_key_unknown' }),
    }),
    levels: ['high'],
    isWarned: true,
    isNotified: true,
  },
  {
    name: 'somebody tries tokens of the agent',
    before: 'weeks',
    day: calmAnd({ others: refusedOften(6, { code: 'agent_token_invalid', count: 1 }) }),
    levels: ['moderate', 'high'],
    score: { from: 40 },
    isWarned: true,
    isNotified: true,
  },
  {
    name: 'a journal that fails its check',
    before: 'weeks',
    day: calmAnd({ others: [{ kind: 'journal.broken', atHour: 12 }] }),
    levels: ['critical'],
    score: { from: 90 },
    isWarned: true,
    isNotified: true,
  },
  {
    name: 'an elevated action that ran without a decision',
    before: 'weeks',
    day: calmAnd({
      batches: [{ atHour: 12, count: 1, everyMs: 1, type: 'RunScript', risk: 'high', by: 'nobody' }],
    }),
    levels: ['critical'],
    score: { from: 90 },
    isWarned: true,
    isNotified: true,
  },
  {
    name: 'a permission that is lost at noon, with failures from then on',
    before: 'weeks',
    day: calmAnd({
      batches: [{ atHour: 12.1, count: 20, everyMs: 300_000, type: 'OpenApp', fails: true }],
      others: [{ kind: 'agent.readiness', atHour: 12, metadata: { ready: false } }],
    }),
    levels: ['low', 'moderate'],
    isWarned: true,
  },
  {
    name: 'everything fails',
    before: 'weeks',
    day: {
      ...calm,
      batches: calm.batches.map((batch) => ({ ...batch, fails: true })),
      tasks: TASKS.map((task) => ({ ...task, status: 'failed' })),
    },
    levels: ['moderate', 'high'],
    isWarned: true,
  },
  {
    name: 'one action again and again, in vain',
    before: 'weeks',
    day: calmAnd({
      batches: [
        { atHour: 15, count: 60, everyMs: 8_000, type: 'OpenApp', target: 'mail', fails: true, isRepeated: true },
      ],
    }),
    levels: ['moderate'],
    isWarned: true,
  },
  {
    name: 'a surge of pictures of the screen',
    before: 'weeks',
    day: calmAnd({
      batches: [{ atHour: 14, count: 900, everyMs: 4_000, type: 'TakeScreenshot', target: 'browser' }],
    }),
    levels: ['moderate'],
    isWarned: true,
  },
  {
    name: 'a flood of prompts',
    before: 'weeks',
    day: calmAnd({ batches: [{ ...asking(300, { answer: 'allowed', afterMs: 5_000 }), atHour: 11, everyMs: 40_000 }] }),
    levels: ['moderate', 'high'],
    isWarned: true,
  },
  {
    name: 'the seven times usual volume again, after the person has marked its causes as known',
    before: 'weeks',
    day: surge,
    levels: ['low'],
    isWarned: false,
    known: ['action_rate', 'action_burst_peak', 'high_risk_executions', 'irreversible_executions', 'requesters'],
  },
];
