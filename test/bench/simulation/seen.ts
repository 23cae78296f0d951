import type { MetricType, Warning } from '../../../src/contract/guardian.ts';
import { type Cause, causeOf, METRICS } from '../../../src/contract/metrics.ts';
import type { GuardianDashboard } from '../../../src/contract/risk.ts';

const DAY_MS = 86_400_000;

/**
 * Something that the person was shown, from the first moment to the last. The same thing that comes back a day later or later is a
 * new one; where the machine was off meanwhile, and every look showed it, it has not gone. `subject`: a metric, the risk, or a task for
 * the person. `cause`: the one under which the page shows it; the risk is shown with its largest cause.
 */
export type Sighting = {
  subject: string;
  cause: Cause | string;
  name: string;
  metricTypes: readonly MetricType[];
  atMs: number;
  untilMs: number;
};

type Shown = Pick<Sighting, 'subject' | 'cause' | 'name' | 'metricTypes'> & { key: string };

/** Remembers everything that the person was shown. `before`, `latestLookMs`: of the life that this one is a copy of. */
export function createSeen(before: ReadonlyMap<string, Sighting> = new Map(), latestLookMs?: number) {
  const sightings = new Map([...before].map(([key, each]) => [key, { ...each }]));
  const latest = new Map([...sightings.keys()].map((key) => [key.slice(0, key.lastIndexOf(' ')), key]));
  let lookedAtMs = latestLookMs;
  let worstRisk = 0;

  function see({ key, ...shown }: Shown, atMs: number): void {
    const known = sightings.get(latest.get(key) ?? '');
    if (known !== undefined && (known.untilMs === lookedAtMs || atMs - known.untilMs < DAY_MS)) {
      known.untilMs = atMs;
      return;
    }
    latest.set(key, `${key} ${atMs}`);
    sightings.set(`${key} ${atMs}`, { ...shown, atMs, untilMs: atMs });
  }

  return {
    /** Records the state of the dashboard at a time. */
    look(dashboard: GuardianDashboard, atMs: number): void {
      for (const shown of shownBy(dashboard)) see(shown, atMs);
      worstRisk = Math.max(worstRisk, dashboard.risk.score);
      lookedAtMs = atMs;
    },
    /** Takes in a notification. */
    told({ title, metricTypes, atMs }: { title: string; metricTypes: readonly MetricType[]; atMs: number }): void {
      const subject = metricTypes[0] ?? title;
      const cause = causeOf(metricTypes) ?? subject;
      see({ key: `told ${title}`, subject, cause, name: `notification "${title}"`, metricTypes }, atMs);
    },
    sightings: (): ReadonlyMap<string, Sighting> => sightings,
    latestLookMs: () => lookedAtMs,
    /** The highest score since this was last asked. */
    worstRisk(): number {
      const worst = worstRisk;
      worstRisk = 0;
      return worst;
    },
  };
}

/** Warnings, insights above `info`, and a risk of at least moderate. */
export function shownBy({ warnings, insights, risk }: GuardianDashboard): Shown[] {
  return [
    ...warnings.map(shownWarning),
    ...insights
      .filter(({ status, severity }) => status === 'open' && severity !== 'info')
      .map(({ id, severity, title, metricTypes }) => ({
        key: `insight ${id} ${severity}`,
        subject: metricTypes[0] ?? title,
        cause: causeOf(metricTypes) ?? title,
        name: `insight "${title}" (${severity})`,
        metricTypes,
      })),
    // The level is held for some minutes after its cause is gone.
    ...(risk.level === 'low' || risk.contributors.length === 0 ? [] : [shownRisk(risk)]),
  ];
}

function shownWarning({ metricType, status, message }: Warning): Shown {
  if (metricType !== null) {
    return {
      key: `metric ${metricType} ${status}`,
      subject: metricType,
      cause: METRICS[metricType].cause,
      name: `${status} "${message}"`,
      metricTypes: [metricType],
    };
  }
  // A paused requester is no news to the person whose denials paused it.
  const metricTypes: MetricType[] = message.includes('permission') ? ['device_readiness'] : [];
  const subject = `to do: ${message}`;
  return {
    key: `to do ${message}`,
    subject,
    cause: causeOf(metricTypes) ?? subject,
    name: `to do "${message}"`,
    metricTypes,
  };
}

function shownRisk({ level, score, contributors }: GuardianDashboard['risk']): Shown {
  const metricTypes = contributors.map(({ metricType }) => metricType);
  return {
    key: `risk ${level} ${causeOf(metricTypes)}`,
    subject: 'risk',
    cause: causeOf(metricTypes) ?? 'risk',
    name: `risk ${level} (${score}: ${metricTypes.join(', ')})`,
    metricTypes,
  };
}
