import { isCapture } from '../../domain/catalogue.ts';
import { evidenceOf } from './evidence.ts';
import { type Facts, HOUR_MS, MINUTE_MS, type Request } from './facts.ts';
import { counted, type Finding, REQUESTER } from './finding.ts';

/**
 * How many requests of one requester in a row are looked at, and the share of captures among them that is an insight. A longer row with a
 * smaller share misses a requester that does its usual work meanwhile. In 240 simulated lives, some of them full of captures, no usual work came near.
 */
const IN_A_ROW = 60;
const SHARE = 0.95;

/** A requester looks at the screen again and again, and does hardly anything else. */
export function screenWatching({ nowMs, requests }: Facts): Finding[] {
  const lately = requests.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS);
  return [...Map.groupBy(lately, ({ userId }) => userId)].flatMap(([userId, ofUser]) => {
    const watching = longRow(ofUser);
    return watching === undefined ? [] : [findingOf(userId, watching)];
  });
}

/** The latest requests in a row that are nearly all captures; they come newest first. */
function longRow(ofUser: readonly Request[]): readonly Request[] | undefined {
  let captures = 0;
  for (const [index, request] of ofUser.entries()) {
    captures += wasCapture(request) ? 1 : 0;
    const left = ofUser[index - IN_A_ROW];
    captures -= left !== undefined && wasCapture(left) ? 1 : 0;
    if (captures >= SHARE * IN_A_ROW) return ofUser.slice(Math.max(0, index + 1 - IN_A_ROW), index + 1);
  }
  return undefined;
}

function othersBetween(count: number): string {
  return count === 0
    ? 'It did nothing else in that time.'
    : `It made only ${counted(count, 'other request')} in that time.`;
}

function wasCapture({ actionType, startedAtMs }: Request): boolean {
  return startedAtMs !== null && isCapture(actionType);
}

function findingOf(userId: string, row: readonly Request[]): Finding {
  const captures = row.filter(wasCapture);
  const times = row.map(({ createdAtMs }) => createdAtMs);
  const minutes = Math.max(1, Math.round((Math.max(...times) - Math.min(...times)) / MINUTE_MS));
  return {
    subject: `screen_watching ${userId}`,
    category: 'privacy',
    severity: 'warning',
    title: `${REQUESTER} looked at your screen ${captures.length} times in ${counted(minutes, 'minute')}`,
    detail: `${othersBetween(row.length - captures.length)} Each look shows everything on the screen.`,
    metricTypes: ['screen_capture_rate'],
    evidence: evidenceOf(captures),
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}
