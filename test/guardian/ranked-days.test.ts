import { expect, test } from 'vitest';
import type { Batch, DayPlan } from './day-journal.ts';
import { DAY_MS, eveningOf } from './days-rig.ts';
import { type Before, ordinaryDay, TWENTY_DAYS } from './twenty-days.ts';

type Ranked = { before: Before; day: DayPlan };

const calm = ordinaryDay(1);
const script = { type: 'RunScript', risk: 'high', answer: 'allowed', afterMs: 7_000 } as const;

function calmAnd(...batches: Batch[]): Ranked {
  return { before: 'weeks', day: { ...calm, batches: [...calm.batches, ...batches] } };
}

/** So many requests for one new file each. */
function newFiles(count: number, everyMs: number): Batch[] {
  return Array.from({ length: count }, (_, index) => ({
    atHour: 10 + (index * everyMs) / 3_600_000,
    count: 1,
    everyMs,
    type: 'ReadFile',
    target: `private ${index}`,
  }));
}

function refusedKeys(count: number): Ranked {
  const metadata = { code: 'console_session_required', count: 1, as: 'session_key_unknown' };
  const others = Array.from({ length: count }, (_, index) => ({
    kind: 'request.refused',
    atHour: 10 + index / 60,
    metadata,
  }));
  return { before: 'weeks', day: { ...calm, others } };
}

function times(factor: number): Ranked {
  const batches = calm.batches.map((batch) => ({ ...batch, count: Math.ceil(factor * batch.count) }));
  return { before: 'weeks', day: { ...calm, batches } };
}

const named = (name: string): Ranked => {
  const found = TWENTY_DAYS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no day "${name}"`);
  return found;
};

/**
 * Thirty days as a person ranks them, the worst first; written before they were scored. Days of one group are equally bad: a promise that is
 * broken, an intruder, a flood of danger, a check that is none, too much, something odd, an ordinary day.
 */
const RANKED: readonly (readonly (readonly [string, Ranked])[])[] = [
  [
    ['the journal fails its check', named('a journal that fails its check')],
    ['an action ran without a decision', named('an elevated action that ran without a decision')],
  ],
  [
    [
      'seven times the volume, with many scripts and deletions',
      named('seven times the usual volume, with 35 high-risk and 19 irreversible executions'),
    ],
    ['a first day with forty scripts and deletions', named('a surge on the first day, far beyond any limit')],
    ['keys of the console are tried twelve times', named('somebody tries keys of the console')],
  ],
  [
    ['a stolen id: twelve scripts more than usual', calmAnd({ atHour: 12, count: 12, everyMs: 300_000, ...script })],
    [
      'a new requester with twelve scripts',
      calmAnd({ atHour: 12, count: 12, everyMs: 300_000, userId: 'newcomer', ...script }),
    ],
    ['three hundred new files in an hour', calmAnd(...newFiles(300, 12_000))],
    ['thirty new files', calmAnd(...newFiles(30, 600_000))],
    [
      'a stolen id: new files and screenshots',
      calmAnd(...newFiles(20, 600_000), { atHour: 12, count: 30, everyMs: 120_000, type: 'TakeScreenshot' }),
    ],
    ['tokens of the agent are tried', named('somebody tries tokens of the agent')],
    ['everything is allowed after half a second', named('a person who allows everything after half a second')],
  ],
  [
    ['keys for the id of a requester are tried', named('a stolen id: somebody tries keys for the id of a requester')],
    ['everything is allowed after 2.4 seconds', named('a person who allows everything after 2.4 seconds')],
    ['everything fails', named('everything fails')],
    ['a flood of prompts', named('a flood of prompts')],
  ],
  [
    ['nine hundred pictures of the screen', named('a surge of pictures of the screen')],
    ['one action again and again', named('one action again and again, in vain')],
    ['grants for nearly everything', named('grants that have crept over nearly everything')],
    ['a requester makes seven times as many harmless requests', calmAnd({ atHour: 9.2, count: 400, everyMs: 40_000 })],
  ],
  [
    ['a page sends thousands of requests', named('a page that pesters with thousands of requests, all refused')],
    ['a code of the console is wrong once', refusedKeys(1)],
    ['a permission is lost at noon', named('a permission that is lost at noon, with failures from then on')],
  ],
  [
    ['one request of a web page', named('one image request of another site, refused')],
    ['twice and a half the work', named('a busy but ordinary day, with twice and a half the usual work')],
    ['half the work', times(0.5)],
    ['half as much work again', times(1.5)],
    ['a calm day', named('a calm day')],
    ['a day without requests', named('a weekend day on which nothing is asked')],
    ['the first day of use', named('the first day of use')],
  ],
];

test('the risk orders thirty days as a person does', () => {
  const days = RANKED.flatMap((group, rank) => group.map(([name, day]) => ({ name, rank, score: scoreOf(day) })));
  expect(days).toHaveLength(30);
  const told = days
    .toSorted((one, other) => other.score - one.score)
    .map(({ name, score, rank }) => `${score} (${rank}) ${name}`);
  expect(spearman(days), told.join('\n')).toBeGreaterThanOrEqual(0.9);
});

function scoreOf(day: Ranked): number {
  return eveningOf(day).services.guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS }).risk.score;
}

/** Pearson's correlation of the ranks, equal values sharing theirs (Spearman 1904). */
function spearman(days: readonly { rank: number; score: number }[]): number {
  const byHand = ranksOf(days.map(({ rank }) => -rank));
  const byScore = ranksOf(days.map(({ score }) => score));
  const middle = (days.length - 1) / 2;
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, rank, index) => sum + (rank - middle) * ((other[index] ?? middle) - middle), 0);
  return product(byHand, byScore) / Math.sqrt(product(byHand, byHand) * product(byScore, byScore));
}

function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal - 1) / 2;
  });
}
