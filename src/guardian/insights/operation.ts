import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import type { Recorded } from '../recording/metrics.ts';
import { probabilityOfAtLeast, type Share } from '../statistics/distributions.ts';
import { clamp } from '../statistics/statistics.ts';
import {
  DAY_MS,
  type DriftFacts,
  evidenceOf,
  type Facts,
  HOUR_MS,
  inspect,
  type MissingPermission,
  mostIn,
} from './facts.ts';
import { counted, type Finding, percent, REQUESTER, seconds } from './finding.ts';

const LONG_MS = 4 * HOUR_MS;

/** The agent was not ready for hours while the person could have used it. A permission that is missing is told by itself. */
export function agentAway({ day: { upTime }, missingPermissions }: Facts): Finding[] {
  const awayMs = upTime.unlockedMs - upTime.readyMs;
  if (awayMs < LONG_MS || missingPermissions.length > 0) return [];
  return [
    {
      subject: 'agent_away',
      category: 'device',
      severity: 'warning',
      title: `Handrail's agent was away for ${seconds(awayMs)} of the last day`,
      detail: 'Nothing could be done on this computer in that time.',
      metricTypes: ['device_readiness'],
      evidence: [],
      action: { kind: 'inspect', label: 'Look at the state of the agent', target: '/api/console/status' },
    },
  ];
}

const PRIVACY = 'x-apple.systempreferences:com.apple.preference.security';

/** Where macOS lets a person grant it. */
const PANES: Record<string, string> = {
  screenRecording: `${PRIVACY}?Privacy_ScreenCapture`,
  accessibility: `${PRIVACY}?Privacy_Accessibility`,
};

/** As the system settings call them. */
const NAMES: Record<string, string> = { screenRecording: 'screen recording' };

export function permissionWords(name: string): string {
  return NAMES[name] ?? name;
}

/** The agent cannot do what it is there for. */
export function permissionLost({ nowMs, missingPermissions, requests }: Facts): Finding[] {
  const failed = requests.filter(
    ({ errorCode, createdAtMs }) => errorCode === 'permission_missing' && createdAtMs > nowMs - DAY_MS,
  );
  return missingPermissions.map(({ name, platform }) => ({
    subject: `permission_lost ${name}`,
    category: 'device',
    severity: 'high',
    title: `The permission for ${permissionWords(name)} is missing`,
    detail: `${counted(failed.length, 'action')} failed without it in the last day. Grant it in the system settings.`,
    metricTypes: ['device_readiness'],
    evidence: evidenceOf(failed),
    ...settingsOf({ name, platform }),
  }));
}

function settingsOf({ name, platform }: MissingPermission): Pick<Finding, 'action'> {
  const target = platform === 'macos' ? PANES[name] : undefined;
  return target === undefined ? {} : { action: { kind: 'open_settings', label: 'Open the system settings', target } };
}

/** The journal can no longer be trusted. */
export function journalBreak({ day }: Facts): Finding[] {
  const { journalBroken } = day.rollup.counters;
  if (journalBroken === 0) return [];
  return [
    {
      subject: 'journal_break',
      category: 'integrity',
      severity: 'critical',
      title: `The journal failed ${counted(journalBroken, 'check')} in the last day`,
      detail:
        'A row was changed, removed or added outside of Handrail. Copy the data directory before you do anything else.',
      metricTypes: ['control_violations'],
      evidence: [],
      action: { kind: 'inspect', label: 'Check the journal', target: '/api/console/audit/verify' },
    },
  ];
}

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

const STOPPED_LIMITS = { stopped: 4, share: 0.5 };

/** The person cancels or stops half of the tasks of a requester. */
export function stoppedTasks({ tasks, requests }: Facts): Finding[] {
  return tasks
    .filter(({ stopped, started }) => stopped >= STOPPED_LIMITS.stopped && stopped >= STOPPED_LIMITS.share * started)
    .map(({ userId, stopped, started }) => ({
      subject: `stopped_tasks ${userId}`,
      category: 'oversight',
      severity: 'warning',
      title: `You cancelled or stopped ${stopped} of ${Math.max(started, stopped)} tasks of ${REQUESTER} in 7 days`,
      detail: 'It keeps doing what you do not want. Pause it until it is set right.',
      metricTypes: ['human_intervention_rate'],
      evidence: evidenceOf(requests.filter((request) => request.userId === userId && request.taskId !== null)),
      action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
      userId,
    }));
}

/** `known`: so many effects before are needed. `chance`: how improbable so many must be by those before. Our own. */
const UNSEEN_LIMITS = { known: 10, unseen: 4, points: 0.3, chance: 0.000_3 };

/** More and more effects of a requester cannot be seen: what it calls done may not be. */
export function unseenEffects({ effects, requests }: Facts): Finding[] {
  return effects.flatMap(({ userId, now, before }) => {
    const usual = (before.hits + 1) / (before.total + 2);
    if (before.total < UNSEEN_LIMITS.known || now.hits < UNSEEN_LIMITS.unseen) return [];
    if (now.hits / now.total - usual < UNSEEN_LIMITS.points) return [];
    if (probabilityOfAtLeast(now.hits, { trials: now.total, probability: usual }) >= UNSEEN_LIMITS.chance) return [];
    const shown = requests.filter((request) => request.userId === userId && request.status === 'success');
    const finding: Finding = {
      subject: `unseen_effects ${userId}`,
      category: 'reliability',
      severity: 'warning',
      title: `${now.hits} of ${now.total} effects of ${REQUESTER} could not be seen in 5 days, ${percent(before.hits / before.total)} before${mostIn(shown)}`,
      detail: 'It was told that these were done, and nothing shows it. Look whether they were.',
      metricTypes: ['action_success_rate'],
      evidence: evidenceOf(shown),
      ...inspect(shown),
      userId,
      risk: { cause: 'action_success_rate', share: 0.28 },
    };
    return [finding];
  });
}
