import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import type { Recorded } from '../recording/metrics.ts';
import { probabilityOfAtLeast, type Share } from '../statistics/binomial.ts';
import { clamp } from '../statistics/statistics.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { DriftFacts, Facts } from './facts.ts';
import { counted, type Finding, percent } from './finding.ts';

/** The subject of this insight. */
export const FAILURES = 'slow_drift failures';

/** Days with actions that make up normal weeks, and days up to now among which the latest with actions are compared with them. */
export const DRIFT_DAYS = { fixed: 21, lately: 28 } as const;

/**
 * The latest days with actions are looked at in these lengths. `chance`: how improbable so many failures must be by normal weeks; `points`: by how
 * much more they must be; `known`: so many normal days are needed. The shorter a length is, the more single bad days it would tell of.
 */
const LENGTHS = [
  { days: 1, chance: 0.000_01, points: 0.3, known: 3 },
  { days: 3, chance: 0.000_5, points: 0.05, known: DRIFT_DAYS.fixed },
  { days: 7, chance: 0.01, points: 0.05, known: DRIFT_DAYS.fixed },
  { days: 14, chance: 0.01, points: 0.05, known: DRIFT_DAYS.fixed },
] as const;
/** Failures come in heaps, so that so many days vary as if fewer actions had been counted. No more than this is believed of the past. */
const MOST_DISPERSION = 4;
const LEAST_FAILED = 4;

/** Failures against normal weeks, which do not move: a past that goes along gets used to a slow drift. */
export function slowDrift({ drift, requests }: Facts): Finding[] {
  const failures = failuresIn(drift);
  if (failures === undefined) return [];
  const failed = requests.filter(({ status, errorCode }) => status === 'failed' && !isPersonsInterruption(errorCode));
  return [
    {
      subject: FAILURES,
      category: 'reliability',
      severity: 'warning',
      title: `${failures.now} of actions failed ${failures.days === 1 ? 'today' : `over ${counted(failures.days, 'day')}`}, ${failures.before} in normal weeks`,
      detail: 'Normal weeks are the first three, or the last three before you acknowledged this.',
      metricTypes: ['action_success_rate'],
      evidence: evidenceOf(failed),
      ...inspect(failed),
      risk: { cause: 'action_success_rate', share: 0.28 },
    },
  ];
}

function failuresIn({ normal, lately }: DriftFacts): { now: string; before: string; days: number } | undefined {
  const past = normal.map(failedOf);
  const before = sumOf(past);
  const used = lately.filter(({ rollup }) => rollup.counters.executed > 0);
  for (const { days, chance, points, known } of LENGTHS) {
    const now = sumOf(used.slice(-days).map(failedOf));
    const more = now.hits / now.total - before.hits / before.total;
    if (past.length < known || now.hits < LEAST_FAILED || more < points || chanceOf(now, past) >= chance) continue;
    return { now: percent(now.hits / now.total), before: percent(before.hits / before.total), days };
  }
  return undefined;
}

/** The probability of so many failures by the past: a one-sided binomial test, with as many actions as the dispersion of the days leaves. */
function chanceOf(now: Share, past: readonly Share[]): number {
  const before = sumOf(past);
  const probability = (before.hits + 1) / (before.total + 2);
  const used = past.filter(({ total }) => total > 0);
  const squares = used.map(
    ({ hits, total }) => (hits - total * probability) ** 2 / (total * probability * (1 - probability)),
  );
  const dispersion = clamp(squares.reduce((sum, each) => sum + each, 0) / used.length, {
    from: 1,
    to: MOST_DISPERSION,
  });
  return probabilityOfAtLeast(Math.round(now.hits / dispersion), {
    trials: Math.round(now.total / dispersion),
    probability,
  });
}

function failedOf({ rollup: { counters } }: Recorded): Share {
  return { hits: counters.failed, total: counters.failed + counters.succeeded };
}

function sumOf(shares: readonly Share[]): Share {
  return shares.reduce((sum, { hits, total }) => ({ hits: sum.hits + hits, total: sum.total + total }), {
    hits: 0,
    total: 0,
  });
}
